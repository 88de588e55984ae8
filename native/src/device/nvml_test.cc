// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "device/nvml.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

TEST(NvmlTest, TellsWhatEachGpuTells) {
  const auto nvml = Nvml::Open(WB_NVML_STAND_IN);
  ASSERT_NE(nvml, nullptr);
  const std::vector<GpuReading> gpus = nvml->Read();
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0].uuid, "GPU-0");
  EXPECT_EQ(gpus[0].utilization, 0.25);
  EXPECT_EQ(gpus[0].memory_used_byte_size, 400u);
  EXPECT_EQ(gpus[0].power_usage_w, 70.5);
  EXPECT_EQ(gpus[0].power_limit_w, std::nullopt);  // a function that the library does not have
  EXPECT_EQ(gpus[1].utilization, std::nullopt);    // one that fails for the device
  EXPECT_EQ(gpus[1].memory_total_byte_size, 1000u);
}

TEST(NvmlTest, IsNothingWithoutTheLibrary) { EXPECT_EQ(Nvml::Open("libnothing_at_all.so"), nullptr); }

}  // namespace
}  // namespace workbench
