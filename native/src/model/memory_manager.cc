// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/memory_manager.h"

namespace workbench {

MemoryManager::~MemoryManager() {
  for (const auto& [buffer, byte_size] : byte_sizes_) host_.Deallocate(buffer, byte_size);
}

Result<void*> MemoryManager::Allocate(MemoryType type, size_t byte_size) {
  if (type != MemoryType::kCpu) {
    return UnsupportedError(
        "this server hands out pageable host memory only; ask for TRITONSERVER_MEMORY_CPU");
  }
  ASSIGN_OR_RETURN(void* buffer, host_.Allocate(byte_size));
  MutexLock lock(&mutex_);
  byte_sizes_[buffer] = byte_size;
  return buffer;
}

Status MemoryManager::Free(void* buffer) {
  size_t byte_size;
  {
    MutexLock lock(&mutex_);
    auto found = byte_sizes_.find(buffer);
    if (found == byte_sizes_.end())
      return InvalidArgumentError("the buffer was not allocated here, or was freed before");
    byte_size = found->second;
    byte_sizes_.erase(found);
  }
  host_.Deallocate(buffer, byte_size);
  return OkStatus();
}

}  // namespace workbench
