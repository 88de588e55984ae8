// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Nvml: how busy the machine's GPUs are, as NVIDIA's management library tells. Opened at run time, for there
// may be none. Immutable; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/shared_library.h"

namespace workbench {

// What a device does not tell is not there.
struct GpuReading {
  std::string uuid;
  std::optional<double> utilization;  // 0 to 1
  std::optional<uint64_t> memory_total_byte_size;
  std::optional<uint64_t> memory_used_byte_size;
  std::optional<double> power_usage_w;
  std::optional<double> power_limit_w;
  std::optional<double> energy_j;  // since the driver was loaded
};

class Nvml {
 public:
  // Null where the library, or every GPU, is missing.
  static std::unique_ptr<const Nvml> Open(const std::string& library = "libnvidia-ml.so.1");

  std::vector<GpuReading> Read() const;

 private:
  using Device = void*;
  struct Utilization {
    unsigned gpu;
    unsigned memory;
  };
  struct Memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
  };
  explicit Nvml(const SharedLibrary& library);
  unsigned Count() const;
  GpuReading Read(Device device) const;

  int (*const init_)();
  int (*const count_)(unsigned* count);
  int (*const device_)(unsigned index, Device* device);
  int (*const uuid_)(Device device, char* uuid, unsigned length);
  int (*const utilization_)(Device device, Utilization* utilization);
  int (*const memory_)(Device device, Memory* memory);
  int (*const power_usage_)(Device device, unsigned* milliwatts);
  int (*const power_limit_)(Device device, unsigned* milliwatts);
  int (*const energy_)(Device device, unsigned long long* millijoules);
};

}  // namespace workbench
