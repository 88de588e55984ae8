// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation_run.h"

#include <gtest/gtest.h>

#include "testing/failing_threads.h"

namespace workbench {
namespace {

constexpr uint64_t kMinuteNs = 60'000'000'000;

std::vector<SimulationOptions> Cells(size_t count, uint64_t requests) {
  std::vector<SimulationOptions> cells(count);
  for (size_t i = 0; i < count; ++i) {
    cells[i].model.batching.is_dynamic = true;
    cells[i].model.batching.max_batch_size = static_cast<uint32_t>(1 + i);
    cells[i].model.service.service_ns = {100'000};
    cells[i].traffic.rate = 5'000;
    cells[i].traffic.requests = requests;
  }
  return cells;
}

std::vector<double> Means(size_t count, uint32_t threads) {
  auto run = StartSimulations(Cells(count, 2'000), threads).value();
  EXPECT_TRUE(run->Wait(kMinuteNs));
  std::vector<double> means;
  for (auto& result : run->Results()) means.push_back(result.value().mean_ns);
  return means;
}

TEST(SimulationRunTest, ThreadsChangeNoResult) {
  const std::vector<double> alone = Means(12, 1);
  EXPECT_EQ(alone.size(), 12u);
  EXPECT_EQ(alone, Means(12, 4));
}

TEST(SimulationRunTest, StopsSoon) {
  auto run = StartSimulations(Cells(2, uint64_t{1} << 40), 2).value();
  EXPECT_FALSE(run->Wait(1));
  run->Stop();
  EXPECT_TRUE(run->Wait(kMinuteNs));
  for (auto& result : run->Results()) EXPECT_TRUE(result.value().is_stopped);
}

TEST(SimulationRunTest, ToldOfWhatIsRefused) {
  std::vector<SimulationOptions> cells = Cells(2, 100);
  cells[1].model.instance_count = 0;
  auto run = StartSimulations(std::move(cells), 1).value();
  EXPECT_TRUE(run->Wait(kMinuteNs));
  const auto results = run->Results();
  EXPECT_TRUE(results[0].ok());
  EXPECT_FALSE(results[1].ok());
}

TEST(SimulationRunTest, EndsAtOnceWhereAThreadCanNotBeStarted) {
  thread_failures.Arm(1, 1);
  const auto run = StartSimulations(Cells(2, uint64_t{1} << 40), 2);
  EXPECT_TRUE(thread_failures.Disarm());
  EXPECT_EQ(run.status().code(), StatusCode::kUnavailable);
}

}  // namespace
}  // namespace workbench
