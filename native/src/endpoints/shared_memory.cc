// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace workbench {
namespace {

// A descriptor, closed when it goes.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

Status IsInUse(const std::string& name) {
  return InvalidArgumentError("shared memory region '" + name +
                              "' is in use by a request; unregister it when that is answered");
}

}  // namespace

Result<SharedMemoryRegion::Ref> SharedMemoryRegion::Open(const std::string& name, const std::string& key,
                                                         uint64_t offset, uint64_t byte_size) {
  const Descriptor object{shm_open(key.c_str(), O_RDWR, 0)};
  if (object.fd < 0) {
    return InternalError("shared memory object '" + key + "' can not be opened: " + std::strerror(errno));
  }
  struct stat found {};
  uint64_t end = 0;
  const bool fits = fstat(object.fd, &found) == 0 && !__builtin_add_overflow(offset, byte_size, &end) &&
                    end <= static_cast<uint64_t>(found.st_size);
  if (!fits || byte_size == 0) {
    return InvalidArgumentError("bytes " + std::to_string(offset) + " and " + std::to_string(byte_size) +
                                " more do not lie within shared memory object '" + key + "', which has " +
                                std::to_string(found.st_size));
  }
  // From the object's begin: a mapping begins at a page, an offset need not.
  void* const mapped = mmap(nullptr, end, PROT_READ | PROT_WRITE, MAP_SHARED, object.fd, 0);
  if (mapped == MAP_FAILED) {
    return InternalError("shared memory object '" + key + "' can not be mapped: " + std::strerror(errno));
  }
  std::shared_ptr<SharedMemoryRegion> region(new SharedMemoryRegion());
  region->name_ = name;
  region->key_ = key;
  region->offset_ = offset;
  region->byte_size_ = byte_size;
  region->mapped_ = mapped;
  region->mapped_size_ = end;
  return Ref(std::move(region));
}

SharedMemoryRegion::~SharedMemoryRegion() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_size_);
}

Result<SharedMemoryRegion::Part> SharedMemoryRegion::PartAt(uint64_t offset, uint64_t byte_size) const {
  uint64_t end = 0;
  if (__builtin_add_overflow(offset, byte_size, &end) || end > byte_size_) {
    return InvalidArgumentError("bytes " + std::to_string(offset) + " and " + std::to_string(byte_size) +
                                " more do not lie within shared memory region '" + name_ + "', which has " +
                                std::to_string(byte_size_));
  }
  return Part{static_cast<char*>(mapped_) + offset_ + offset, byte_size};
}

Status SharedMemory::Register(const std::string& name, const std::string& key, uint64_t offset,
                              uint64_t byte_size) {
  const auto taken = [&name] {
    return AlreadyExistsError("shared memory region '" + name + "' is registered already");
  };
  {
    MutexLock lock(&mutex_);
    if (regions_.count(name) != 0) return taken();
  }
  ASSIGN_OR_RETURN(SharedMemoryRegion::Ref region, SharedMemoryRegion::Open(name, key, offset, byte_size));
  MutexLock lock(&mutex_);
  return regions_.emplace(name, std::move(region)).second ? OkStatus() : taken();
}

Status SharedMemory::Unregister(const std::string& name) {
  MutexLock lock(&mutex_);
  const auto found = regions_.find(name);
  if (found == regions_.end()) return OkStatus();
  if (found->second.use_count() > 1) return IsInUse(name);
  regions_.erase(found);
  return OkStatus();
}

Status SharedMemory::UnregisterAll() {
  MutexLock lock(&mutex_);
  Status status;
  for (auto entry = regions_.begin(); entry != regions_.end();) {
    if (entry->second.use_count() > 1) status = IsInUse(entry->first);
    entry = entry->second.use_count() > 1 ? std::next(entry) : regions_.erase(entry);
  }
  return status;
}

Result<SharedMemoryRegion::Ref> SharedMemory::Find(const std::string& name) const {
  MutexLock lock(&mutex_);
  const auto found = regions_.find(name);
  if (found == regions_.end()) return NotFoundError("shared memory region '" + name + "' is not registered");
  return found->second;
}

std::map<std::string, SharedMemoryRegion::Ref> SharedMemory::regions() const {
  MutexLock lock(&mutex_);
  return regions_;
}

}  // namespace workbench
