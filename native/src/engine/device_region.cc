// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device_region.h"

#include <cstring>
#include <utility>

namespace workbench {
namespace {

// The driver says INVALID_VALUE of anything that is no handle, and so does this.
Result<cuda::IpcHandle> HandleOf(const std::string& bytes) {
  cuda::IpcHandle handle{};
  if (bytes.size() != sizeof handle.bytes) {
    return InvalidArgumentError("a handle of CUDA memory has " + std::to_string(sizeof handle.bytes) +
                                " bytes, this one " + std::to_string(bytes.size()));
  }
  std::memcpy(handle.bytes, bytes.data(), bytes.size());
  return handle;
}

}  // namespace

Result<std::shared_ptr<DeviceRegionBridge>> DeviceRegion::Open(std::shared_ptr<HostMemory> memory,
                                                               int64_t ordinal, const std::string& handle,
                                                               uint64_t byte_size) {
  ASSIGN_OR_RETURN(const cuda::IpcHandle opened, HandleOf(handle));
  ASSIGN_OR_RETURN(CudaDriver* const driver, memory->devices().Driver());
  if (ordinal < 0 || ordinal >= driver->device_count()) {
    return InvalidArgumentError("there is no GPU " + std::to_string(ordinal) + "; there are " +
                                std::to_string(driver->device_count()));
  }
  ASSIGN_OR_RETURN(CudaDevice* const device, driver->Device(static_cast<int>(ordinal)));
  ASSIGN_OR_RETURN(void* const base, device->OpenShared(opened));
  std::shared_ptr<DeviceRegionBridge> region(new DeviceRegion(std::move(memory), device, base));
  ASSIGN_OR_RETURN(const size_t allocated, device->SizeFrom(base));
  if (byte_size == 0 || byte_size > allocated) {
    return InvalidArgumentError("the region is to have " + std::to_string(byte_size) +
                                " bytes, and what the handle stands for has " + std::to_string(allocated));
  }
  return region;
}

DeviceRegion::~DeviceRegion() {
  // Whoever shares it may be gone, and nobody is left to tell.
  (void)device_->CloseShared(base_);
}

}  // namespace workbench
