// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedMemory: the regions that clients registered with one server, by name, whatever their kind. Any
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "endpoints/shared_memory_region.h"

namespace workbench {

class SharedMemory {
 public:
  // ALREADY_EXISTS for a name that is registered; else what opening a region says.
  Status Register(const std::string& name, const std::string& key, uint64_t offset, uint64_t byte_size)
      EXCLUDES(mutex_);
  Status RegisterCuda(TRITONSERVER_Server* server, const std::string& name, const std::string& handle,
                      int64_t device_id, uint64_t byte_size) EXCLUDES(mutex_);
  // INVALID_ARGUMENT while a request uses it; nothing to do is fine, as where that name is of another kind.
  Status Unregister(const std::string& name, SharedMemoryKind kind) EXCLUDES(mutex_);
  Status UnregisterAll(SharedMemoryKind kind) EXCLUDES(mutex_);
  // NOT_FOUND.
  Result<SharedMemoryRegion::Ref> Find(const std::string& name) const EXCLUDES(mutex_);
  // Those of a kind: all, or one, NOT_FOUND where there is none of that name.
  Result<std::map<std::string, SharedMemoryRegion::Ref>> Regions(SharedMemoryKind kind,
                                                                 const std::string& name) const
      EXCLUDES(mutex_);

 private:
  template <typename Open>
  Status Add(const std::string& name, const Open& open) EXCLUDES(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, SharedMemoryRegion::Ref> regions_ GUARDED_BY(mutex_);
};

}  // namespace workbench
