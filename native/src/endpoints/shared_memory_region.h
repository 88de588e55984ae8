// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedMemoryRegion: memory that a client shares, of the machine or of a GPU, where inputs lie and outputs
// are written. Immutable; let go of with its last reference, so a region that is unregistered while a request
// uses it stays until that is answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "engine/device_region_bridge.h"
#include "triton/core/tritonserver.h"

namespace workbench {

enum class SharedMemoryKind : uint8_t { kSystem, kCuda };

class SharedMemoryRegion {
 public:
  using Ref = std::shared_ptr<const SharedMemoryRegion>;
  struct Part {
    void* base = nullptr;
    size_t byte_size = 0;
    const SharedMemoryRegion* region = nullptr;  // which must outlive it
  };

  // Of a POSIX shared memory object. INTERNAL where it can not be opened, as the original answers,
  // INVALID_ARGUMENT where it is smaller.
  static Result<Ref> Open(const std::string& name, const std::string& key, uint64_t offset,
                          uint64_t byte_size);
  // Of a GPU; handle: the bytes of a CUDA IPC handle. INVALID_ARGUMENT where there is no such GPU, or less
  // memory, INTERNAL where the driver does not open it.
  static Result<Ref> OpenCuda(TRITONSERVER_Server* server, const std::string& name, const std::string& handle,
                              int64_t device_id, uint64_t byte_size);
  ~SharedMemoryRegion();
  SharedMemoryRegion(const SharedMemoryRegion&) = delete;
  SharedMemoryRegion& operator=(const SharedMemoryRegion&) = delete;

  // INVALID_ARGUMENT where it does not lie within the region.
  Result<Part> PartAt(uint64_t offset, uint64_t byte_size) const;
  SharedMemoryKind kind() const {
    return device_ == nullptr ? SharedMemoryKind::kSystem : SharedMemoryKind::kCuda;
  }
  const std::string& name() const { return name_; }
  const std::string& key() const { return key_; }
  uint64_t offset() const { return offset_; }
  uint64_t byte_size() const { return byte_size_; }
  int64_t device_id() const { return device_id_; }
  // Null where the memory is the machine's.
  const DeviceRegionBridge* device() const { return device_.get(); }

 private:
  SharedMemoryRegion() = default;

  std::string name_, key_;
  uint64_t offset_ = 0, byte_size_ = 0;
  int64_t device_id_ = 0;
  void* base_ = nullptr;  // where the region begins
  void* mapped_ = nullptr;
  size_t mapped_size_ = 0;
  std::shared_ptr<const DeviceRegionBridge> device_;
};

}  // namespace workbench
