// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "device/nvml.h"

namespace workbench {
namespace {

// What a function tells of a device; nothing where there is no such function or no answer.
template <typename Value, typename Handle>
std::optional<Value> Ask(int (*function)(Handle, Value*), Handle device) {
  Value value{};
  if (function == nullptr || function(device, &value) != 0) return std::nullopt;
  return value;
}

template <typename Value>
std::optional<double> Thousandths(const std::optional<Value>& value) {
  if (!value) return std::nullopt;
  return static_cast<double>(*value) / 1000;
}

}  // namespace

Nvml::Nvml(const SharedLibrary& library)
    : init_(library.Find<int()>("nvmlInit_v2")),
      count_(library.Find<int(unsigned*)>("nvmlDeviceGetCount_v2")),
      device_(library.Find<int(unsigned, Device*)>("nvmlDeviceGetHandleByIndex_v2")),
      uuid_(library.Find<int(Device, char*, unsigned)>("nvmlDeviceGetUUID")),
      utilization_(library.Find<int(Device, Utilization*)>("nvmlDeviceGetUtilizationRates")),
      memory_(library.Find<int(Device, Memory*)>("nvmlDeviceGetMemoryInfo")),
      power_usage_(library.Find<int(Device, unsigned*)>("nvmlDeviceGetPowerUsage")),
      power_limit_(library.Find<int(Device, unsigned*)>("nvmlDeviceGetEnforcedPowerLimit")),
      energy_(library.Find<int(Device, unsigned long long*)>("nvmlDeviceGetTotalEnergyConsumption")) {}

std::unique_ptr<const Nvml> Nvml::Open(const std::string& library) {
  const Result<SharedLibrary> opened = SharedLibrary::Open(library);
  if (!opened.ok()) return nullptr;
  std::unique_ptr<const Nvml> nvml(new Nvml(opened.value()));
  const bool is_whole = nvml->init_ != nullptr && nvml->count_ != nullptr && nvml->device_ != nullptr;
  if (!is_whole || nvml->init_() != 0 || nvml->Count() == 0) return nullptr;
  return nvml;
}

unsigned Nvml::Count() const {
  unsigned count = 0;
  return count_(&count) == 0 ? count : 0;
}

GpuReading Nvml::Read(Device device) const {
  GpuReading reading;
  char uuid[96] = "";
  if (uuid_ != nullptr && uuid_(device, uuid, sizeof uuid) == 0) reading.uuid = uuid;
  if (const auto utilization = Ask(utilization_, device)) reading.utilization = utilization->gpu / 100.0;
  if (const auto memory = Ask(memory_, device)) {
    reading.memory_total_byte_size = memory->total;
    reading.memory_used_byte_size = memory->used;
  }
  reading.power_usage_w = Thousandths(Ask(power_usage_, device));
  reading.power_limit_w = Thousandths(Ask(power_limit_, device));
  reading.energy_j = Thousandths(Ask(energy_, device));
  return reading;
}

std::vector<GpuReading> Nvml::Read() const {
  std::vector<GpuReading> readings;
  for (unsigned index = 0; index < Count(); ++index) {
    Device device = nullptr;
    if (device_(index, &device) == 0) readings.push_back(Read(device));
  }
  return readings;
}

}  // namespace workbench
