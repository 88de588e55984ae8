// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryManager: memory that a backend asks of the server, behind a TRITONBACKEND_MemoryManager handle. Any
// thread.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "base/mutex.h"
#include "memory/memory_resource.h"

namespace workbench {

class MemoryManager {
 public:
  // Borrows the resource of host memory, which outlives it.
  explicit MemoryManager(MemoryResource& host) : host_(host) {}
  ~MemoryManager();

  // UNSUPPORTED for kinds of memory that this machine does not have, UNAVAILABLE when there is none left now.
  Result<void*> Allocate(MemoryType type, size_t byte_size);
  Status Free(void* buffer);

 private:
  MemoryResource& host_;
  Mutex mutex_;
  std::unordered_map<void*, size_t> byte_sizes_ GUARDED_BY(mutex_);
};

}  // namespace workbench
