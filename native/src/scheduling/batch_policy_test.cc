// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/batch_policy.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace workbench {
namespace {

constexpr uint64_t kMs = 1'000'000;

class BatchPolicyTest : public ::testing::Test {
 protected:
  static BatchingOptions Dynamic(uint32_t max_batch_size, std::vector<uint32_t> preferred,
                                 uint64_t delay_ns) {
    return {true, max_batch_size, delay_ns, std::move(preferred)};
  }
  void Arrive(uint64_t at_ns, uint32_t rows = 1, uint64_t signature = 0) {
    QueueEntry entry;
    entry.arrival_ns = at_ns;
    entry.rows = rows;
    entry.shape_signature = signature;
    entries_.push_back(entry);
    if (entries_.size() > 1) entries_[entries_.size() - 2].next = &entries_.back();
  }
  const QueueEntry* head() const { return entries_.empty() ? nullptr : &entries_.front(); }

  std::deque<QueueEntry> entries_;
};

TEST_F(BatchPolicyTest, AnEmptyQueueHasNothingToSend) {
  BatchPolicy policy(Dynamic(8, {}, kMs));
  EXPECT_EQ(policy.Decide(nullptr, 0).count, 0u);
  EXPECT_EQ(policy.Decide(nullptr, 0).look_again_ns, 0u);
}

TEST_F(BatchPolicyTest, WithoutDynamicBatchingRequestsGoOneByOne) {
  BatchPolicy policy(BatchingOptions{});
  Arrive(0);
  Arrive(0);
  const BatchDecision decision = policy.Decide(head(), 0);
  EXPECT_EQ(decision.count, 1u);
  EXPECT_EQ(decision.reason, BatchReason::kDirect);
}

TEST_F(BatchPolicyTest, WithoutDelayWhateverWaitsGoesWhenAnInstanceIsFree) {
  BatchPolicy policy(Dynamic(8, {}, 0));
  Arrive(0);
  Arrive(0);
  Arrive(0);
  const BatchDecision decision = policy.Decide(head(), 5);
  EXPECT_EQ(decision.count, 3u);
  EXPECT_EQ(decision.reason, BatchReason::kInstanceFree);
}

TEST_F(BatchPolicyTest, AFullBatchGoesAtOnce) {
  BatchPolicy policy(Dynamic(2, {}, kMs));
  Arrive(10);
  EXPECT_EQ(policy.Decide(head(), 10).count, 0u);
  Arrive(11);
  Arrive(12);
  const BatchDecision decision = policy.Decide(head(), 12);
  EXPECT_EQ(decision.count, 2u);
  EXPECT_EQ(decision.reason, BatchReason::kFull);
}

TEST_F(BatchPolicyTest, TheDelayRunsFromTheOldestRequest) {
  BatchPolicy policy(Dynamic(8, {}, kMs));
  Arrive(100);
  EXPECT_EQ(policy.Decide(head(), 100).look_again_ns, 100 + kMs);
  Arrive(100 + kMs / 2);
  EXPECT_EQ(policy.Decide(head(), 100 + kMs / 2).look_again_ns, 100 + kMs);
  const BatchDecision decision = policy.Decide(head(), 100 + kMs);
  EXPECT_EQ(decision.count, 2u);
  EXPECT_EQ(decision.reason, BatchReason::kDelayExpired);
}

TEST_F(BatchPolicyTest, APreferredSizeGoesBeforeTheDelayEnds) {
  BatchPolicy policy(Dynamic(16, {4}, 300 * kMs));
  for (int i = 0; i < 6; ++i) Arrive(0);
  const BatchDecision decision = policy.Decide(head(), 1);
  EXPECT_EQ(decision.count, 4u);
  EXPECT_EQ(decision.reason, BatchReason::kPreferred);
}

TEST_F(BatchPolicyTest, OnceTheDelayEndedAllGoEvenIfNobodyPreferredThatSize) {
  BatchPolicy policy(Dynamic(16, {4}, 300 * kMs));
  for (int i = 0; i < 6; ++i) Arrive(0);
  const BatchDecision decision = policy.Decide(head(), 300 * kMs);
  EXPECT_EQ(decision.count, 6u);
  EXPECT_EQ(decision.reason, BatchReason::kDelayExpired);
}

TEST_F(BatchPolicyTest, WithoutDelayThePreferredSizeStillWins) {
  BatchPolicy policy(Dynamic(64, {32}, 0));
  for (int i = 0; i < 50; ++i) Arrive(0);
  EXPECT_EQ(policy.Decide(head(), 1).count, 32u);
}

TEST_F(BatchPolicyTest, ASizeThatOvershootsAllPreferredOnesGoesWithoutTheNext) {
  BatchPolicy policy(Dynamic(16, {4}, 300 * kMs));
  Arrive(0, 3);
  Arrive(0, 3);
  const BatchDecision decision = policy.Decide(head(), 1);
  EXPECT_EQ(decision.count, 1u);
  EXPECT_EQ(decision.reason, BatchReason::kFull);
}

TEST_F(BatchPolicyTest, RequestsAreNeverSplit) {
  BatchPolicy policy(Dynamic(8, {}, 0));
  Arrive(0, 5);
  Arrive(0, 5);
  EXPECT_EQ(policy.Decide(head(), 0).count, 1u);
}

TEST_F(BatchPolicyTest, AnotherShapeEndsTheBatch) {
  BatchPolicy policy(Dynamic(8, {}, kMs));
  Arrive(0, 1, 7);
  Arrive(0, 1, 7);
  Arrive(0, 1, 9);
  const BatchDecision decision = policy.Decide(head(), 1);
  EXPECT_EQ(decision.count, 2u);
  EXPECT_EQ(decision.reason, BatchReason::kShapeMismatch);
}

TEST_F(BatchPolicyTest, ScanningInStepsDecidesAsScanningAtOnce) {
  BatchPolicy steps(Dynamic(16, {3, 8}, kMs));
  BatchDecision decision;
  for (int i = 0; i < 5; ++i) {
    Arrive(i);
    decision = steps.Decide(head(), i);
  }
  BatchPolicy at_once(Dynamic(16, {3, 8}, kMs));
  EXPECT_EQ(decision.count, at_once.Decide(head(), 4).count);
}

TEST_F(BatchPolicyTest, AfterARestartTheWholeQueueIsLookedAtAgain) {
  BatchPolicy policy(Dynamic(4, {}, kMs));
  for (int i = 0; i < 4; ++i) Arrive(0);
  EXPECT_EQ(policy.Decide(head(), 0).count, 4u);
  entries_.clear();
  policy.Restart();
  Arrive(1);
  EXPECT_EQ(policy.Decide(head(), 1).count, 0u);
}

// Takes entries up to a number of rows; writes down what it is told.
struct RowLimit final : BatchStrategy {
  explicit RowLimit(uint32_t limit) : limit(limit) {}
  void Begin() override {
    left = limit;
    log += "[";
  }
  bool Include(const QueueEntry& entry) override {
    const bool is_included = entry.rows <= left;
    if (is_included) left -= entry.rows;
    log += is_included ? "+" : "-";
    return is_included;
  }
  void End() override { log += "]"; }
  const uint32_t limit;
  uint32_t left = 0;
  std::string log;
};

TEST_F(BatchPolicyTest, AStrategyEndsABatch) {
  RowLimit strategy(3);
  BatchingOptions options = Dynamic(8, {}, kMs);
  options.strategy = &strategy;
  BatchPolicy policy(options);
  Arrive(0, 2);
  Arrive(0, 1);
  EXPECT_EQ(policy.Decide(head(), 0).count, 0u);
  Arrive(0, 1);
  const BatchDecision decision = policy.Decide(head(), 1);
  EXPECT_EQ(decision.count, 2u);
  EXPECT_EQ(decision.reason, BatchReason::kCustom);
  policy.Restart();
  EXPECT_EQ(strategy.log, "[++-]");
}

TEST_F(BatchPolicyTest, AStrategyIsAskedOnceOfEachEntryUntilABatchIsFormedAnew) {
  RowLimit strategy(8);
  BatchingOptions options = Dynamic(8, {}, kMs);
  options.strategy = &strategy;
  BatchPolicy policy(options);
  Arrive(0);
  policy.Decide(head(), 0);
  policy.Decide(head(), 0);
  Arrive(0);
  policy.Decide(head(), 0);
  policy.Restart();
  policy.Decide(head(), 0);
  policy.Restart();
  policy.Restart();
  EXPECT_EQ(strategy.log, "[++][++]");
}

TEST_F(BatchPolicyTest, AnEntryThatAStrategyRefusesForAnEmptyBatchGoesAlone) {
  RowLimit strategy(1);
  BatchingOptions options = Dynamic(8, {}, kMs);
  options.strategy = &strategy;
  BatchPolicy policy(options);
  Arrive(0, 2);
  Arrive(0, 2);
  const BatchDecision decision = policy.Decide(head(), 0);
  EXPECT_EQ(decision.count, 1u);
  EXPECT_EQ(decision.reason, BatchReason::kCustom);
}

}  // namespace
}  // namespace workbench
