// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/gpu_metrics.h"

#include <functional>

namespace workbench {
namespace {

using Value = std::function<std::optional<double>(const GpuReading&)>;

struct Figure {
  const char* name;
  const char* help;
  MetricKind kind;
  Value value;
};

FamilySnapshot Collect(const Figure& figure, const std::vector<GpuReading>& gpus) {
  FamilySnapshot family{figure.name, figure.help, figure.kind, {}};
  for (const GpuReading& gpu : gpus) {
    if (const std::optional<double> value = figure.value(gpu))
      family.metrics.push_back({{{"gpu_uuid", gpu.uuid}}, *value, {}});
  }
  return family;
}

std::optional<double> EnergySince(const GpuReading& now, const std::vector<GpuReading>& before) {
  for (const GpuReading& gpu : before) {
    if (gpu.uuid == now.uuid && gpu.energy_j && now.energy_j) return *now.energy_j - *gpu.energy_j;
  }
  return std::nullopt;
}

}  // namespace

std::vector<FamilySnapshot> GpuFamilies(const std::vector<GpuReading>& now,
                                        const std::vector<GpuReading>& before) {
  const Figure figures[] = {
      {"nv_gpu_utilization", "Share of time in which the GPU was busy, 0 to 1", MetricKind::kGauge,
       [](const GpuReading& gpu) { return gpu.utilization; }},
      {"nv_gpu_memory_total_bytes", "Bytes of the GPU's memory", MetricKind::kGauge,
       [](const GpuReading& gpu) { return gpu.memory_total_byte_size; }},
      {"nv_gpu_memory_used_bytes", "Bytes of the GPU's memory that are in use", MetricKind::kGauge,
       [](const GpuReading& gpu) { return gpu.memory_used_byte_size; }},
      {"nv_gpu_power_usage", "Watts that the GPU draws", MetricKind::kGauge,
       [](const GpuReading& gpu) { return gpu.power_usage_w; }},
      {"nv_gpu_power_limit", "Watts that the GPU may draw", MetricKind::kGauge,
       [](const GpuReading& gpu) { return gpu.power_limit_w; }},
      {"nv_energy_consumption", "Joules that the GPU took since the server started", MetricKind::kCounter,
       [&](const GpuReading& gpu) { return EnergySince(gpu, before); }},
  };
  std::vector<FamilySnapshot> families;
  for (const Figure& figure : figures) {
    FamilySnapshot family = Collect(figure, now);
    if (!family.metrics.empty()) families.push_back(std::move(family));
  }
  return families;
}

}  // namespace workbench
