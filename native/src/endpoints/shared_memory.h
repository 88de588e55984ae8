// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Regions of shared memory that clients register: where inputs lie and outputs are written, without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/result.h"

namespace workbench {

// One mapped region. Immutable; unmapped with its last reference, so a region that is unregistered while a
// request uses it stays until that is answered.
class SharedMemoryRegion {
 public:
  using Ref = std::shared_ptr<const SharedMemoryRegion>;
  struct Part {
    void* base = nullptr;
    size_t byte_size = 0;
  };

  // Of a POSIX shared memory object. INTERNAL where it can not be opened, as the original answers,
  // INVALID_ARGUMENT where it is smaller.
  static Result<Ref> Open(const std::string& name, const std::string& key, uint64_t offset,
                          uint64_t byte_size);
  ~SharedMemoryRegion();
  SharedMemoryRegion(const SharedMemoryRegion&) = delete;
  SharedMemoryRegion& operator=(const SharedMemoryRegion&) = delete;

  // INVALID_ARGUMENT where it does not lie within the region.
  Result<Part> PartAt(uint64_t offset, uint64_t byte_size) const;
  const std::string& name() const { return name_; }
  const std::string& key() const { return key_; }
  uint64_t offset() const { return offset_; }
  uint64_t byte_size() const { return byte_size_; }

 private:
  SharedMemoryRegion() = default;

  std::string name_, key_;
  uint64_t offset_ = 0, byte_size_ = 0;
  void* mapped_ = nullptr;
  size_t mapped_size_ = 0;
};

// The regions of one server, by name. Any thread.
class SharedMemory {
 public:
  // ALREADY_EXISTS for a name that is registered.
  Status Register(const std::string& name, const std::string& key, uint64_t offset, uint64_t byte_size)
      EXCLUDES(mutex_);
  // INVALID_ARGUMENT while a request uses it; nothing to do is fine.
  Status Unregister(const std::string& name) EXCLUDES(mutex_);
  Status UnregisterAll() EXCLUDES(mutex_);
  // NOT_FOUND.
  Result<SharedMemoryRegion::Ref> Find(const std::string& name) const EXCLUDES(mutex_);
  std::map<std::string, SharedMemoryRegion::Ref> regions() const EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::map<std::string, SharedMemoryRegion::Ref> regions_ GUARDED_BY(mutex_);
};

}  // namespace workbench
