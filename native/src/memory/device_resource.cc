// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/device_resource.h"

#include <algorithm>
#include <string>

#include "memory/alignment.h"

namespace workbench {
namespace {

constexpr size_t kDeviceAlignment = 256;
constexpr size_t kPage = 4096;
constexpr size_t kAddressSpace = size_t{1} << 40;  // more than any device has

// The driver takes no request for nothing, and none that overflows what it adds.
Result<size_t> Legal(size_t byte_size, size_t alignment, size_t given_alignment) {
  RETURN_IF_ERROR(CheckAlignment(alignment));
  if (alignment > given_alignment) {
    return UnsupportedError("the CUDA driver aligns to " + std::to_string(given_alignment) +
                            " bytes here, not to " + std::to_string(alignment));
  }
  if (byte_size > kAddressSpace)
    return UnavailableError("no GPU has " + std::to_string(byte_size) + " bytes of memory");
  return std::max<size_t>(byte_size, 1);
}

}  // namespace

Result<void*> DeviceResource::Allocate(size_t byte_size, size_t alignment) {
  ASSIGN_OR_RETURN(const size_t legal, Legal(byte_size, alignment, kDeviceAlignment));
  ASSIGN_OR_RETURN(CudaDevice* const device, driver_->Device(ordinal_));
  return device->Allocate(legal);
}

// A failure has nobody to tell: the driver is going down, and its memory with it.
void DeviceResource::Deallocate(void* bytes, size_t byte_size, size_t alignment) {
  Result<CudaDevice*> device = driver_->Device(ordinal_);
  if (device.ok()) (void)(*device)->Free(bytes);
}

Result<void*> PinnedResource::Allocate(size_t byte_size, size_t alignment) {
  ASSIGN_OR_RETURN(const size_t legal, Legal(byte_size, alignment, kPage));
  ASSIGN_OR_RETURN(CudaDevice* const device, driver_->Device(0));
  return device->AllocatePinned(legal);
}

void PinnedResource::Deallocate(void* bytes, size_t byte_size, size_t alignment) {
  Result<CudaDevice*> device = driver_->Device(0);
  if (device.ok()) (void)(*device)->FreePinned(bytes);
}

}  // namespace workbench
