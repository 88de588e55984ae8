// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/dynamic_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inference/testing.h"
#include "testing/fake_timer.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kMs = 1'000'000;

// Executes at once whatever it is woken for, unless it is held.
class RecordingRunner final : public BatchRunner {
 public:
  ~RecordingRunner() override = default;
  void WakeOne() override {
    ++wakes;
    if (!is_busy) TakeAll();
  }
  void Wake(uint32_t) override { WakeOne(); }
  void TakeAll() {
    Batch batch;
    while (!is_busy && scheduler->Take(0, &batch)) {
      sizes.push_back(batch.requests.size());
      reasons.push_back(batch.reason);
      for (InferenceRequest* request : batch.requests) InferenceRequest::Release(RequestPtr(request), 1);
      if (is_slow) is_busy = true;
    }
  }
  void BecomeFree() {
    is_busy = false;
    TakeAll();
  }

  DynamicScheduler* scheduler = nullptr;
  bool is_busy = false;
  bool is_slow = false;  // busy after each batch, until BecomeFree
  int wakes = 0;
  std::vector<size_t> sizes;
  std::vector<BatchReason> reasons;
};

class DynamicSchedulerTest : public ::testing::Test {
 protected:
  void Start(BatchingOptions batching, QueueOptions queue = {}) {
    scheduler_ = std::make_unique<DynamicScheduler>(
        SchedulingOptions{std::move(batching), std::move(queue), false}, clock_, timer_, runner_);
    runner_.scheduler = scheduler_.get();
  }
  void Enqueue(int count) {
    for (int i = 0; i < count; ++i) {
      EXPECT_FALSE(scheduler_->Enqueue(sender_.NewRequest(&target_, clock_.NowNs())).has_value());
    }
  }

  FakeTarget target_;
  FakeSender sender_;
  FakeClock clock_;
  FakeTimer timer_{clock_};
  RecordingRunner runner_;
  std::unique_ptr<DynamicScheduler> scheduler_;
};

TEST_F(DynamicSchedulerTest, WithoutBatchingEachRequestRunsByItself) {
  Start({});
  runner_.is_busy = true;
  Enqueue(3);
  EXPECT_EQ(scheduler_->queue_length(), 3u);
  runner_.BecomeFree();
  EXPECT_THAT(runner_.sizes, ElementsAre(1, 1, 1));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kDirect, BatchReason::kDirect, BatchReason::kDirect));
  EXPECT_EQ(scheduler_->queue_length(), 0u);
}

TEST_F(DynamicSchedulerTest, SendsFullBatchAtOnce) {
  Start({true, 4, 100 * kMs, {}});
  Enqueue(4);
  EXPECT_THAT(runner_.sizes, ElementsAre(4));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kFull));
}

TEST_F(DynamicSchedulerTest, SendsPartialBatchOnceQueueDelayExpires) {
  Start({true, 4, 100 * kMs, {}});
  Enqueue(1);
  timer_.Advance(99 * kMs);
  EXPECT_THAT(runner_.sizes, IsEmpty());
  timer_.Advance(1 * kMs);
  EXPECT_THAT(runner_.sizes, ElementsAre(1));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kDelayExpired));
}

TEST_F(DynamicSchedulerTest, AFreeInstanceDoesNotCutTheDelayShort) {
  Start({true, 4, 100 * kMs, {}});
  Enqueue(2);
  runner_.TakeAll();
  EXPECT_THAT(runner_.sizes, IsEmpty());
}

TEST_F(DynamicSchedulerTest, ABatchThatWaitsForAnInstanceKeepsGrowing) {
  Start({true, 12, 10 * kMs, {}});
  runner_.is_busy = true;
  Enqueue(1);
  timer_.Advance(10 * kMs);
  Enqueue(8);
  runner_.BecomeFree();
  EXPECT_THAT(runner_.sizes, ElementsAre(9));
}

TEST_F(DynamicSchedulerTest, SixRequestsWithPreferredFourGoAsFourThenTwo) {
  Start({true, 8, 300 * kMs, {4}});
  runner_.is_busy = true;
  Enqueue(6);
  runner_.BecomeFree();
  timer_.Advance(300 * kMs);
  EXPECT_THAT(runner_.sizes, ElementsAre(4, 2));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kPreferred, BatchReason::kDelayExpired));
}

TEST_F(DynamicSchedulerTest, WithoutDelayOneRequestStartsAndTheRestFollowsTogether) {
  Start({true, 8, 0, {}});
  runner_.is_slow = true;
  for (int i = 0; i < 6; ++i) {
    Enqueue(1);
    timer_.Advance(30 * kMs);
  }
  runner_.BecomeFree();
  EXPECT_THAT(runner_.sizes, ElementsAre(1, 5));
}

TEST_F(DynamicSchedulerTest, AShorterDelayAppliesToWhatWaitsAlready) {
  Start({true, 8, 1000 * kMs, {}});
  Enqueue(2);
  timer_.Advance(5 * kMs);
  scheduler_->Reconfigure({{true, 8, 2 * kMs, {}}, {}, false});
  EXPECT_THAT(runner_.sizes, ElementsAre(2));
}

TEST_F(DynamicSchedulerTest, ALongerDelayIsWaitedOut) {
  Start({true, 8, 10 * kMs, {}});
  Enqueue(1);
  scheduler_->Reconfigure({{true, 8, 50 * kMs, {}}, {}, false});
  timer_.Advance(49 * kMs);
  EXPECT_THAT(runner_.sizes, IsEmpty());
  timer_.Advance(1 * kMs);
  EXPECT_THAT(runner_.sizes, ElementsAre(1));
}

TEST_F(DynamicSchedulerTest, FlushingSendsWhatWaits) {
  Start({true, 8, 1000 * kMs, {}});
  Enqueue(3);
  scheduler_->Flush();
  EXPECT_THAT(runner_.sizes, ElementsAre(3));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kShutdown));
}

TEST_F(DynamicSchedulerTest, ASchedulerThatGoesAnswersWhatItHolds) {
  Start({true, 8, 1000 * kMs, {}});
  Enqueue(2);
  scheduler_.reset();
  ASSERT_EQ(sender_.answers.size(), 2u);
  EXPECT_EQ(sender_.answers[0].code(), StatusCode::kUnavailable);
  EXPECT_EQ(sender_.released, 2);
}

TEST_F(DynamicSchedulerTest, ARequestIsRejectedWhenItsTimeIsUpAlthoughNoInstanceIsFree) {
  QueueOptions queue;
  queue.default_policy.default_timeout_ns = 1000 * kMs;
  Start({true, 1, 0, {}}, queue);
  runner_.is_busy = true;
  Enqueue(1);
  timer_.Advance(999 * kMs);
  EXPECT_THAT(sender_.answers, IsEmpty());
  timer_.Advance(1 * kMs);
  ASSERT_EQ(sender_.answers.size(), 1u);
  EXPECT_EQ(sender_.answers[0].code(), StatusCode::kUnavailable);
  EXPECT_EQ(scheduler_->queue_length(), 0u);
}

TEST_F(DynamicSchedulerTest, AFullQueueHandsTheRequestBack) {
  QueueOptions queue;
  queue.default_policy.max_queue_size = 2;
  Start({true, 1, 0, {}}, queue);
  runner_.is_busy = true;
  Enqueue(2);
  auto refusal = scheduler_->Enqueue(sender_.NewRequest(&target_));
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->reason.code(), StatusCode::kUnavailable);
  EXPECT_THAT(sender_.answers, IsEmpty());
}

TEST_F(DynamicSchedulerTest, AHigherPriorityOvertakes) {
  Start({true, 1, 0, {}}, {2, 2, {}, {}});
  runner_.is_busy = true;
  RequestPtr low = sender_.NewRequest(&target_);
  RequestPtr high = sender_.NewRequest(&target_);
  InferenceRequest* const first = high.get();
  high->set_priority(1);
  EXPECT_FALSE(scheduler_->Enqueue(std::move(low)));
  EXPECT_FALSE(scheduler_->Enqueue(std::move(high)));
  Batch batch;
  ASSERT_TRUE(scheduler_->Take(0, &batch));
  EXPECT_EQ(batch.requests[0], first);
  InferenceRequest::Fail(RequestPtr(batch.requests[0]), UnavailableError("test"));
}

TEST_F(DynamicSchedulerTest, NobodyIsWokenWhileABatchIsNotReady) {
  Start({true, 4, 100 * kMs, {}});
  Enqueue(3);
  EXPECT_EQ(runner_.wakes, 0);
}

}  // namespace
}  // namespace workbench
