// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/shared_memory_region.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "endpoints/bridge.h"

namespace workbench {
namespace {

// A descriptor, closed when it goes.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

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
  region->base_ = static_cast<char*>(mapped) + offset;
  region->mapped_ = mapped;
  region->mapped_size_ = end;
  return Ref(std::move(region));
}

Result<SharedMemoryRegion::Ref> SharedMemoryRegion::OpenCuda(TRITONSERVER_Server* server,
                                                             const std::string& name,
                                                             const std::string& handle, int64_t device_id,
                                                             uint64_t byte_size) {
  Result<std::shared_ptr<DeviceRegionBridge>> opened =
      TheBridge().open_device_region(server, device_id, handle, byte_size);
  if (!opened.ok()) {
    const StatusCode code = opened.status().code();
    // Without a GPU it is an argument that can not be served, as with the original.
    return Status(code == StatusCode::kUnsupported ? StatusCode::kInvalidArgument : code,
                  "CUDA shared memory region '" + name + "' can not be opened: " + opened.status().message());
  }
  std::shared_ptr<SharedMemoryRegion> region(new SharedMemoryRegion());
  region->name_ = name;
  region->byte_size_ = byte_size;
  region->device_id_ = device_id;
  region->base_ = opened.value()->base();
  region->device_ = std::move(opened).value();
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
  return Part{static_cast<char*>(base_) + offset, byte_size, this};
}

}  // namespace workbench
