// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/memory_manager.h"

namespace workbench {

MemoryManager::~MemoryManager() {
  for (const auto& [buffer, given] : given_) given.pool->Deallocate(buffer, given.byte_size);
}

Result<void*> MemoryManager::Allocate(MemoryPlace place, size_t byte_size) {
  ASSIGN_OR_RETURN(MemoryResource* const pool, pools_.PoolAt(place));
  ASSIGN_OR_RETURN(void* buffer, pool->Allocate(byte_size));
  MutexLock lock(&mutex_);
  given_[buffer] = {pool, byte_size};
  return buffer;
}

Status MemoryManager::Free(void* buffer) {
  Given given;
  {
    MutexLock lock(&mutex_);
    auto found = given_.find(buffer);
    if (found == given_.end())
      return InvalidArgumentError("the buffer was not allocated here, or was freed before");
    given = found->second;
    given_.erase(found);
  }
  given.pool->Deallocate(buffer, given.byte_size);
  return OkStatus();
}

}  // namespace workbench
