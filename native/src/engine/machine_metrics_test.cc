// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/machine_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

TEST(MachineMetricsTest, IdleAndWaitingProcessorsAreNotBusy) {
  const ProcessorTimes times = ReadProcessorTimes("cpu  10 2 3 100 5 1 1 1 7 0\ncpu0 1 1 1 1\n");
  EXPECT_EQ(times.busy, 18u);
  EXPECT_EQ(times.all, 123u);
  EXPECT_EQ(ReadProcessorTimes("intr 5").all, 0u);
}

TEST(MachineMetricsTest, ReadsEntriesOfMemory) {
  const std::string text = "MemTotal:  24 kB\nMemAvailable: 10 kB\n";
  EXPECT_EQ(ReadMemoryEntry(text, "MemTotal"), 24u * 1024);
  EXPECT_EQ(ReadMemoryEntry(text, "MemAvailable"), 10u * 1024);
  EXPECT_EQ(ReadMemoryEntry(text, "Mem"), 0u);
}

TEST(MachineMetricsTest, TellsOfThisMachine) {
  MachineMetrics machine;
  const auto families = machine.Read();
  ASSERT_EQ(families.size(), 3u);
  EXPECT_GE(families[0].metrics[0].value, 0);
  EXPECT_LE(families[0].metrics[0].value, 1);
  EXPECT_GT(families[1].metrics[0].value, families[2].metrics[0].value);
}

}  // namespace
}  // namespace workbench
