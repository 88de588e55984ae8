// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/inference_statistics.h"

#include <gtest/gtest.h>

#include <thread>

namespace workbench {
namespace {

TEST(InferenceStatisticsTest, SplitsLatency) {
  InferenceStatistics statistics(8);
  statistics.CountRequest(true, true, 100, 1, {150, 160, 190, 200});
  const StatisticsSnapshot snapshot = statistics.Snapshot();
  EXPECT_EQ(snapshot.success.count, 1u);
  EXPECT_EQ(snapshot.success.ns, 100u);
  EXPECT_EQ(snapshot.queue.ns, 50u);
  EXPECT_EQ(snapshot.compute_input.ns, 10u);
  EXPECT_EQ(snapshot.compute_infer.ns, 30u);
  EXPECT_EQ(snapshot.compute_output.ns, 10u);
}

TEST(InferenceStatisticsTest, StampsThatRunBackwardsCountNoTime) {
  InferenceStatistics statistics(8);
  statistics.CountRequest(true, true, 100, 1, {0, 0, 0, 0});
  EXPECT_EQ(statistics.Snapshot().queue.ns, 0u);
}

TEST(InferenceStatisticsTest, FailuresAreNoSuccesses) {
  InferenceStatistics statistics(8);
  statistics.CountRequest(true, false, 100, 3, {150, 160, 190, 200});
  EXPECT_EQ(statistics.Snapshot().fail.count, 1u);
  EXPECT_EQ(statistics.Snapshot().success.count, 0u);
  EXPECT_EQ(statistics.Snapshot().inference_count, 0u);
}

TEST(InferenceStatisticsTest, EachRowOfARequestThatSucceededIsAnInference) {
  InferenceStatistics statistics(8);
  statistics.CountRequest(true, true, 100, 3, {150, 160, 190, 200});
  statistics.CountRequest(false, true, 100, 2, {150, 160, 190, 200});
  EXPECT_EQ(statistics.Snapshot().inference_count, 5u);
}

TEST(InferenceStatisticsTest, CountsExecutionsBySize) {
  InferenceStatistics statistics(8);
  statistics.CountExecution(true, 3, {1, 2, 5, 6});
  statistics.CountExecution(false, 3, {1, 2, 5, 6});
  statistics.CountExecution(true, 99, {1, 2, 5, 6});  // more than was declared: with the largest
  const StatisticsSnapshot snapshot = statistics.Snapshot();
  EXPECT_EQ(snapshot.execution_count, 3u);
  EXPECT_EQ(snapshot.batches[3].compute_infer.count, 2u);
  EXPECT_EQ(snapshot.batches[3].compute_infer.ns, 6u);
  EXPECT_EQ(snapshot.batches[8].compute_infer.count, 1u);
}

TEST(InferenceStatisticsTest, LosesNothingWhenOtherThreadsReport) {
  InferenceStatistics statistics(8);
  auto report = [&](bool is_own_thread) {
    for (int i = 0; i < 10'000; ++i) statistics.CountRequest(is_own_thread, true, 0, 1, {1, 2, 3, 4});
  };
  std::thread other([&] { report(false); });
  std::thread third([&] { report(false); });
  report(true);
  other.join();
  third.join();
  EXPECT_EQ(statistics.Snapshot().success.count, 30'000u);
}

}  // namespace
}  // namespace workbench
