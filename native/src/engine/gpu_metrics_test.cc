// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/gpu_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/text_serializer.h"

namespace workbench {
namespace {

using testing::HasSubstr;
using testing::Not;

GpuReading Gpu(double energy_j) {
  GpuReading gpu;
  gpu.uuid = "GPU-0";
  gpu.utilization = 0.5;
  gpu.energy_j = energy_j;
  return gpu;
}

TEST(GpuMetricsTest, ShowsWhatAGpuTellsByItsUuid) {
  const std::string text = SerializeText(GpuFamilies({Gpu(30)}, {Gpu(10)}));
  EXPECT_THAT(text, HasSubstr("nv_gpu_utilization{gpu_uuid=\"GPU-0\"} 0.5\n"));
  EXPECT_THAT(
      text,
      HasSubstr("# TYPE nv_energy_consumption counter\nnv_energy_consumption{gpu_uuid=\"GPU-0\"} 20\n"));
  EXPECT_THAT(text, Not(HasSubstr("nv_gpu_power_usage")));
}

TEST(GpuMetricsTest, IsEmptyWithoutGpus) { EXPECT_TRUE(GpuFamilies({}, {}).empty()); }

}  // namespace
}  // namespace workbench
