// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceRegion: memory of a GPU that another process allocated and shares by a handle; let go of with its
// last reference. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "device/cuda_device.h"
#include "engine/device_region_bridge.h"
#include "engine/host_memory.h"

namespace workbench {

class DeviceRegion final : public DeviceRegionBridge {
 public:
  // handle: the bytes of a CUipcMemHandle. UNSUPPORTED where there is no GPU, INVALID_ARG for a handle of
  // another size, or a region beyond what was allocated, INTERNAL where the driver does not open it.
  static Result<std::shared_ptr<DeviceRegionBridge>> Open(std::shared_ptr<HostMemory> memory, int64_t ordinal,
                                                          const std::string& handle, uint64_t byte_size);
  ~DeviceRegion() override;
  DeviceRegion(const DeviceRegion&) = delete;
  DeviceRegion& operator=(const DeviceRegion&) = delete;

  void* base() const override { return base_; }
  Status Copy(void* target, const void* source, size_t byte_size) const override {
    return device_->Copy(target, source, byte_size);
  }

 private:
  DeviceRegion(std::shared_ptr<HostMemory> memory, CudaDevice* device, void* base)
      : memory_(std::move(memory)), device_(device), base_(base) {}

  const std::shared_ptr<HostMemory> memory_;  // with the engine: it holds the driver, and so the device
  CudaDevice* const device_;
  void* const base_;
};

}  // namespace workbench
