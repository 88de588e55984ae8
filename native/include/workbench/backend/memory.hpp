// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory: bytes from the server's pools, where they are counted and limited. Owned by whoever holds it.
#pragma once

#include <utility>

#include "workbench/backend/model.hpp"

namespace workbench {

class Memory {
 public:
  Memory() = default;
  // Throws what the pool answers: UNAVAILABLE where it has not enough now.
  Memory(const Model& model, uint64_t byte_size,
         TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU, int64_t memory_type_id = 0)
      : byte_size_(byte_size), memory_type_(memory_type), memory_type_id_(memory_type_id) {
    TRITONBACKEND_Backend* backend = nullptr;
    Check(TRITONBACKEND_ModelBackend(model.handle(), &backend));
    Check(TRITONBACKEND_BackendMemoryManager(backend, &manager_));
    Check(TRITONBACKEND_MemoryManagerAllocate(manager_, &data_, memory_type, memory_type_id, byte_size));
  }
  Memory(Memory&& other) noexcept { Swap(other); }
  Memory& operator=(Memory&& other) noexcept {
    Swap(other);
    return *this;
  }
  ~Memory() {
    if (data_ == nullptr) return;
    detail::LogFailure(TRITONBACKEND_MemoryManagerFree(manager_, data_, memory_type_, memory_type_id_),
                       "freeing memory");
  }

  void* data() const { return data_; }
  uint64_t byte_size() const { return byte_size_; }

 private:
  void Swap(Memory& other) noexcept {
    std::swap(manager_, other.manager_);
    std::swap(data_, other.data_);
    std::swap(byte_size_, other.byte_size_);
    std::swap(memory_type_, other.memory_type_);
    std::swap(memory_type_id_, other.memory_type_id_);
  }

  TRITONBACKEND_MemoryManager* manager_ = nullptr;
  void* data_ = nullptr;
  uint64_t byte_size_ = 0;
  TRITONSERVER_MemoryType memory_type_ = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id_ = 0;
};

}  // namespace workbench
