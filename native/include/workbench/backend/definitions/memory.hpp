// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What memory.hpp declares.
#pragma once

#include <utility>

#include "workbench/backend/memory.hpp"

namespace workbench {

WB_INLINE Memory::Memory(const Model& model, uint64_t byte_size, TRITONSERVER_MemoryType memory_type,
                         int64_t memory_type_id)
    : byte_size_(byte_size), memory_type_(memory_type), memory_type_id_(memory_type_id) {
  TRITONBACKEND_Backend* backend = nullptr;
  Check(TRITONBACKEND_ModelBackend(model.handle(), &backend));
  Check(TRITONBACKEND_BackendMemoryManager(backend, &manager_));
  Check(TRITONBACKEND_MemoryManagerAllocate(manager_, &data_, memory_type, memory_type_id, byte_size));
}

WB_INLINE Memory::~Memory() {
  if (data_ == nullptr) return;
  detail::LogFailure(TRITONBACKEND_MemoryManagerFree(manager_, data_, memory_type_, memory_type_id_),
                     "freeing memory");
}

WB_INLINE void Memory::Swap(Memory& other) noexcept {
  std::swap(manager_, other.manager_);
  std::swap(data_, other.data_);
  std::swap(byte_size_, other.byte_size_);
  std::swap(memory_type_, other.memory_type_);
  std::swap(memory_type_id_, other.memory_type_id_);
}

}  // namespace workbench
