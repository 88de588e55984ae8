// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation.h"

#include <gtest/gtest.h>

#include <numeric>

namespace workbench {
namespace {

class SimulationTest : public testing::Test {
 protected:
  SimulationTest() {
    options_.model.batching.is_dynamic = true;
    options_.model.batching.max_batch_size = 8;
    for (uint64_t rows = 1; rows <= 8; ++rows)
      options_.model.service.service_ns.push_back(900'000 + 100'000 * rows);
    options_.traffic.rate = 2'000;
    options_.traffic.requests = 20'000;
  }
  SimulationResult Run() {
    const std::atomic<bool> stop{false};
    Result<SimulationResult> result = Simulate(options_, stop);
    EXPECT_TRUE(result.ok()) << result.status().message();
    return std::move(result).value();
  }
  SimulationOptions options_;
};

uint64_t Executions(const SimulationResult& result) {
  return std::accumulate(result.batches.begin(), result.batches.end(), uint64_t{0},
                         [](uint64_t sum, const BatchTally& tally) { return sum + tally.count; });
}

TEST_F(SimulationTest, SameSeedSameResultToTheLastBit) {
  const SimulationResult first = Run();
  const SimulationResult again = Run();
  EXPECT_EQ(first.mean_ns, again.mean_ns);
  EXPECT_EQ(first.quantiles_ns, again.quantiles_ns);
  options_.traffic.seed = 2;
  EXPECT_NE(first.mean_ns, Run().mean_ns);
}

TEST_F(SimulationTest, EveryRequestIsAnswered) {
  options_.keeps_records = true;
  const SimulationResult result = Run();
  EXPECT_EQ(result.answered, 20'000u);
  ASSERT_EQ(result.records.size(), 20'000u);
  double sum = 0;
  for (const SimulationRecord& record : result.records) {
    ASSERT_EQ(record.status, 0);
    sum += static_cast<double>(record.latency_ns);
  }
  EXPECT_DOUBLE_EQ(sum / 20'000, result.mean_ns);
}

// Pollaczek and Khinchine: one server, constant service time, load rho: mean = tau (2 - rho) / (2 (1 - rho)).
TEST_F(SimulationTest, SingleRequestsWaitAsTheFormulaOfPollaczekAndKhinchineSays) {
  options_.model.batching = BatchingOptions{};
  options_.model.service.service_ns = {1'000'000};
  options_.traffic.requests = 2'000'000;
  for (double rho : {0.3, 0.6, 0.8}) {
    options_.traffic.rate = rho * 1'000;
    const double exact_ns = 1e6 * (2 - rho) / (2 * (1 - rho));
    EXPECT_NEAR(Run().mean_ns / exact_ns, 1, 0.01) << rho;
  }
}

TEST_F(SimulationTest, ClosedLoopAnswersABatchEachServiceTime) {
  options_.traffic.rate = 0;
  options_.traffic.concurrency = 16;  // two batches in flight: one executes, one waits
  options_.warmup_requests = 1'000;
  const SimulationResult result = Run();
  EXPECT_NEAR(result.throughput, 8 / 1.7e-3, 1);
  EXPECT_NEAR(result.mean_ns, 2 * 1.7e6, 1e3);
}

TEST_F(SimulationTest, OverheadIsAddedToTheLatencyAlone) {
  const SimulationResult before = Run();
  options_.model.service.overhead_ns = 30'000;
  const SimulationResult after = Run();
  EXPECT_NEAR(after.mean_ns - before.mean_ns, 30'000, 1e-3);
  EXPECT_EQ(after.queue_mean_ns, before.queue_mean_ns);
}

TEST_F(SimulationTest, AFullQueueRejects) {
  options_.model.queue.default_policy.max_queue_size = 4;
  options_.traffic.rate = 20'000;
  const SimulationResult result = Run();
  EXPECT_GT(result.rejected, 0u);
  EXPECT_EQ(result.answered + result.rejected, 20'000u);
}

TEST_F(SimulationTest, WhoWaitsForTooLongTimesOut) {
  options_.model.queue.default_policy.default_timeout_ns = 1'000'000;
  options_.traffic.rate = 8'000;
  const SimulationResult result = Run();
  EXPECT_GT(result.timed_out, 0u);
  EXPECT_EQ(result.answered + result.timed_out, 20'000u);
}

TEST_F(SimulationTest, ARisingQueueEndsTheSimulation) {
  options_.traffic.rate = 50'000;
  options_.max_waiting = 1'000;
  EXPECT_TRUE(Run().is_overloaded);
}

TEST_F(SimulationTest, HighPriorityWaitsLess) {
  options_.model.queue.priority_levels = 2;
  options_.model.queue.default_priority_level = 2;
  options_.priority_shares = {0.2, 0.8};
  options_.traffic.rate = 4'400;
  const double mixed_ns = Run().mean_ns;
  options_.priority_shares = {1.0, 0.0};
  EXPECT_GT(mixed_ns, 0);
  EXPECT_NEAR(Run().mean_ns / mixed_ns, 1, 0.2);
}

TEST_F(SimulationTest, BatchesHoldAllRows) {
  options_.row_shares = {0.5, 0.5};
  options_.keeps_records = true;
  const SimulationResult result = Run();
  uint64_t rows = 0;
  for (const BatchTally& tally : result.batches) rows += tally.rows * tally.count;
  EXPECT_NEAR(static_cast<double>(rows), 30'000, 600);
  EXPECT_LT(Executions(result), 20'000u);
}

TEST_F(SimulationTest, SequencesWaitForTheirTurn) {
  options_.model.sequence.strategy = SequenceOptions::Strategy::kOldest;
  options_.sequence_count = 8;
  options_.sequence_length = 10'000;
  const SimulationResult many = Run();
  EXPECT_EQ(many.answered, 20'000u);
  options_.sequence_count = 2;  // two at most can share a batch
  const SimulationResult few = Run();
  EXPECT_EQ(few.batches.back().rows, 2u);
  EXPECT_GT(few.mean_ns, many.mean_ns);
}

TEST_F(SimulationTest, WarmUpIsNotCounted) {
  options_.warmup_requests = 5'000;
  EXPECT_EQ(Run().answered, 15'000u);
}

TEST_F(SimulationTest, NonsenseIsRefused) {
  const std::atomic<bool> stop{false};
  options_.model.service.service_ns.clear();
  EXPECT_FALSE(Simulate(options_, stop).ok());
  options_.model.service.service_ns = {1'000};
  options_.row_shares = std::vector<double>(9, 1.0);
  EXPECT_FALSE(Simulate(options_, stop).ok());
  options_.row_shares = {};
  options_.sequence_count = 3;  // of a model without any
  EXPECT_FALSE(Simulate(options_, stop).ok());
  options_.sequence_count = 0;
  options_.row_shares = {-1.0};
  EXPECT_FALSE(Simulate(options_, stop).ok());
}

}  // namespace
}  // namespace workbench
