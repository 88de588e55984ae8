// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceResource: bytes of a GPU, straight from the driver. PinnedResource: page-locked bytes of the host,
// which GPUs read and write without the processor's help. Neither touches the GPU before it is asked for
// bytes. Any thread.
#pragma once

#include <memory>
#include <utility>

#include "device/cuda_device.h"
#include "memory/memory_resource.h"

namespace workbench {

class DeviceResource final : public MemoryResource {
 public:
  // The driver is shared: it must outlive the memory.
  DeviceResource(std::shared_ptr<CudaDriver> driver, int ordinal)
      : driver_(std::move(driver)), ordinal_(ordinal) {}

  // What the driver gives is aligned to 256 bytes; a larger alignment is UNSUPPORTED.
  Result<void*> Allocate(size_t byte_size, size_t alignment = kDefaultAlignment) override;
  void Deallocate(void* bytes, size_t byte_size, size_t alignment = kDefaultAlignment) override;
  MemoryPlace place() const override { return {MemoryType::kGpu, ordinal_}; }

 private:
  const std::shared_ptr<CudaDriver> driver_;
  const int ordinal_;
};

class PinnedResource final : public MemoryResource {
 public:
  explicit PinnedResource(std::shared_ptr<CudaDriver> driver) : driver_(std::move(driver)) {}

  // Aligned to pages.
  Result<void*> Allocate(size_t byte_size, size_t alignment = kDefaultAlignment) override;
  void Deallocate(void* bytes, size_t byte_size, size_t alignment = kDefaultAlignment) override;
  MemoryPlace place() const override { return {MemoryType::kCpuPinned, 0}; }

 private:
  const std::shared_ptr<CudaDriver> driver_;
};

}  // namespace workbench
