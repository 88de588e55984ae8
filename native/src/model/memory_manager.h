// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryManager: memory that a backend asks of the server, behind a TRITONBACKEND_MemoryManager handle. Any
// thread.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "base/mutex.h"
#include "memory/memory_pools.h"

namespace workbench {

class MemoryManager {
 public:
  // Borrows the pools, which outlive it.
  explicit MemoryManager(MemoryPools& pools) : pools_(pools) {}
  ~MemoryManager();

  // Of that place and no other: who asks has no way to hear of another. UNSUPPORTED for memory that this
  // machine does not have, UNAVAILABLE when there is none left now.
  Result<void*> Allocate(MemoryPlace place, size_t byte_size);
  Status Free(void* buffer);

 private:
  struct Given {
    MemoryResource* pool;
    size_t byte_size;
  };
  MemoryPools& pools_;
  Mutex mutex_;
  std::unordered_map<void*, Given> given_ GUARDED_BY(mutex_);
};

}  // namespace workbench
