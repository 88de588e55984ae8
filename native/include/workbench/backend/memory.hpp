// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory: bytes from the server's pools, where they are counted and limited. Owned by whoever holds it.
#pragma once

#include "workbench/backend/model.hpp"

namespace workbench {

class Memory {
 public:
  Memory() = default;
  // Throws what the pool answers: UNAVAILABLE where it has not enough now.
  Memory(const Model& model, uint64_t byte_size,
         TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU, int64_t memory_type_id = 0);
  Memory(Memory&& other) noexcept { Swap(other); }
  Memory& operator=(Memory&& other) noexcept {
    Swap(other);
    return *this;
  }
  ~Memory();

  void* data() const { return data_; }
  uint64_t byte_size() const { return byte_size_; }

 private:
  void Swap(Memory& other) noexcept;

  TRITONBACKEND_MemoryManager* manager_ = nullptr;
  void* data_ = nullptr;
  uint64_t byte_size_ = 0;
  TRITONSERVER_MemoryType memory_type_ = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id_ = 0;
};

}  // namespace workbench

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/memory.hpp"
#endif
