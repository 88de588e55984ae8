// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_fixture.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(SequenceSchedulerTest, DirectRunsTheSequencesOfAllSlotsTogether) {
  Start(Options(Strategy::kDirect));
  runner_.is_busy = true;
  for (uint64_t id = 1; id <= 3; ++id) Send(id, kStart);
  runner_.RunAll();
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S", "2S", "3S"}));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kSequence));
}

TEST_F(SequenceSchedulerTest, DirectKeepsEachSequenceInItsPlaceByNullRequests) {
  Start(Options(Strategy::kDirect));
  for (uint64_t id = 1; id <= 3; ++id) Send(id, kStart);
  runner_.batches.clear();
  target_.nulls = 0;
  Send(3, kNone);
  Send(2, kEnd);
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"-", "-", "3"}, Texts{"-", "2E"}));
  EXPECT_EQ(target_.nulls, 3);
  EXPECT_EQ(sender_.answers.size(), 0u);
}

TEST_F(SequenceSchedulerTest, DirectTakesOneRequestOfEachSequenceAtATime) {
  Start(Options(Strategy::kDirect));
  runner_.is_busy = true;
  Send(1, kStart);
  Send(1, kNone);
  Send(2, kStart);
  Send(1, kEnd);
  runner_.RunAll();
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S", "2S"}, Texts{"1"}, Texts{"1E"}));
}

TEST_F(SequenceSchedulerTest, DirectGivesAPlaceThatIsFreeToTheBacklog) {
  Start(Options(Strategy::kDirect));
  runner_.is_busy = true;
  for (uint64_t id = 1; id <= 5; ++id) Send(id, kStart | (id == 2 ? kEnd : 0));
  EXPECT_EQ(scheduler_->queue_length(), 5u);
  runner_.RunAll();
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S", "2SE", "3S", "4S"}, Texts{"-", "5S"}));
  EXPECT_EQ(scheduler_->queue_length(), 0u);
}

TEST_F(SequenceSchedulerTest, DirectLeavesOtherShapesToTheNextBatch) {
  Start(Options(Strategy::kDirect));
  runner_.is_busy = true;
  for (uint64_t id = 1; id <= 3; ++id) {
    RequestPtr request = NewRequest(id, kStart);
    request->shape_signature = id == 2 ? 7 : 8;
    EXPECT_TRUE(Send(std::move(request)).ok());
  }
  runner_.RunAll();
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S", "-", "3S"}, Texts{"-", "2S"}));
}

TEST_F(SequenceSchedulerTest, DirectKeepsThePlacesOfOtherShapesAtTheEndOfABatch) {
  Start(Options(Strategy::kDirect));
  runner_.is_busy = true;
  for (uint64_t id = 1; id <= 4; ++id) {
    RequestPtr request = NewRequest(id, kStart);
    request->shape_signature = id <= 2 ? 7 : id;
    EXPECT_TRUE(Send(std::move(request)).ok());
  }
  runner_.RunAll();
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S", "2S", "-", "-"}, Texts{"-", "-", "3S", "-"},
                                           Texts{"-", "-", "-", "4S"}));
}

TEST_F(SequenceSchedulerTest, DirectWaitsForAShareOfItsSlots) {
  SchedulingOptions options = Options(Strategy::kDirect);
  options.batching.max_queue_delay_ns = 100 * kMs;
  options.sequence.minimum_slot_utilization = 0.5;
  Start(options);
  Send(1, kStart);
  EXPECT_THAT(runner_.batches, IsEmpty());
  Send(2, kStart);
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S", "2S"}));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kSequence));
}

TEST_F(SequenceSchedulerTest, DirectWaitsNoLongerThanTheDelay) {
  SchedulingOptions options = Options(Strategy::kDirect);
  options.batching.max_queue_delay_ns = 100 * kMs;
  options.sequence.minimum_slot_utilization = 1;
  Start(options);
  Send(1, kStart);
  timer_.Advance(99 * kMs);
  EXPECT_THAT(runner_.batches, IsEmpty());
  timer_.Advance(1 * kMs);
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S"}));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kDelayExpired));
}

TEST_F(SequenceSchedulerTest, DirectHasNoDelayWhereNoShareIsAskedFor) {
  SchedulingOptions options = Options(Strategy::kDirect);
  options.batching.max_queue_delay_ns = 100 * kMs;
  Start(options);
  Send(1, kStart);
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S"}));
}

TEST_F(SequenceSchedulerTest, SequencesSpreadOverInstancesAndStayThere) {
  Start(Options(Strategy::kDirect), {0, 1});
  for (uint64_t id = 1; id <= 2; ++id) Send(id, kStart);
  for (uint64_t id = 1; id <= 2; ++id) Send(id, kNone);
  EXPECT_THAT(runner_.ran_on, ElementsAre(0, 1, 0, 1));
}

TEST_F(SequenceSchedulerTest, PassiveInstancesHaveNoSlots) {
  Start(Options(Strategy::kDirect), {1, 3});
  for (uint64_t id = 1; id <= 3; ++id) Send(id, kStart);
  EXPECT_THAT(runner_.ran_on, ElementsAre(1, 3, 1));
}

TEST_F(SequenceSchedulerTest, OldestBatchesTheFirstRequestsOfSequences) {
  Start(Options(Strategy::kOldest));
  runner_.is_busy = true;
  Send(1, kStart);
  Send(1, kEnd);
  Send(2, kStart);
  Send(3, kStart);
  runner_.RunAll();
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S", "2S", "3S"}, Texts{"1E"}));
  EXPECT_EQ(target_.nulls, 0);
}

TEST_F(SequenceSchedulerTest, OldestHasOneRequestOfASequenceInFlight) {
  Start(Options(Strategy::kOldest));
  runner_.holds = true;
  Send(1, kStart);
  Send(1, kNone);
  EXPECT_FALSE(scheduler_->has_ready(0));
  runner_.ReleaseAll();
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S"}, Texts{"1"}));
  runner_.ReleaseAll();
}

TEST_F(SequenceSchedulerTest, OldestLetsSoManyCandidatesIn) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.sequence.max_candidate_sequences = 2;
  Start(options);
  runner_.is_busy = true;
  for (uint64_t id = 1; id <= 3; ++id) Send(id, kStart | kEnd);
  runner_.RunAll();
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1SE", "2SE"}, Texts{"3SE"}));
}

TEST_F(SequenceSchedulerTest, OldestSendsAPreferredSizeAtOnce) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.batching.max_queue_delay_ns = 100 * kMs;
  options.batching.preferred_batch_sizes = {2};
  Start(options);
  Send(1, kStart);
  EXPECT_THAT(runner_.batches, IsEmpty());
  Send(2, kStart);
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S", "2S"}));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kPreferred));
}

TEST_F(SequenceSchedulerTest, OldestCountsTheDelayFromWhenARequestMayGo) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.batching.max_queue_delay_ns = 100 * kMs;
  options.batching.preferred_batch_sizes = {2};
  Start(options);
  runner_.holds = true;
  Send(1, kStart);
  Send(2, kStart);
  Send(1, kNone);
  timer_.Advance(500 * kMs);
  runner_.ReleaseAll();
  timer_.Advance(99 * kMs);
  EXPECT_EQ(runner_.batches.size(), 1u);
  timer_.Advance(1 * kMs);
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S", "2S"}, Texts{"1"}));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kPreferred, BatchReason::kDelayExpired));
  runner_.ReleaseAll();
}

TEST_F(SequenceSchedulerTest, ARequestWithoutStartIdOrWithABatchIsRefused) {
  Start(Options(Strategy::kDirect));
  EXPECT_EQ(Refuse(1, kNone), StatusCode::kInvalidArgument);
  EXPECT_EQ(Refuse(0, kStart), StatusCode::kInvalidArgument);
  RequestPtr request = NewRequest(1, kStart);
  request->rows = 2;
  EXPECT_EQ(Send(std::move(request)).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(scheduler_->queue_length(), 0u);
}

TEST_F(SequenceSchedulerTest, TheRefusalSaysWhatIsMissing) {
  Start(Options(Strategy::kDirect));
  const Status status = Send(NewRequest(42, kNone));
  EXPECT_THAT(status.message(), HasSubstr("42"));
  EXPECT_THAT(status.message(), HasSubstr("START"));
}

TEST_F(SequenceSchedulerTest, AnIdleSequenceEnds) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    Start(Options(strategy));
    Send(1, kStart);
    timer_.Advance(999 * kMs);
    Send(1, kNone);
    timer_.Advance(1000 * kMs);
    EXPECT_EQ(Refuse(1, kNone), StatusCode::kInvalidArgument);
    Send(1, kStart);
  }
}

TEST_F(SequenceSchedulerTest, TheSlotOfAnIdleSequenceGoesToTheBacklog) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.sequence.max_candidate_sequences = 1;
  Start(options);
  Send(1, kStart);
  Send(2, kStart);
  EXPECT_EQ(runner_.batches.size(), 1u);
  timer_.Advance(1000 * kMs);
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S"}, Texts{"2S"}));
}

TEST_F(SequenceSchedulerTest, ACancelledStartFreesItsSlotOnce) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    SchedulingOptions options = Options(strategy);
    options.batching.max_batch_size = 2;
    options.sequence.max_candidate_sequences = 2;
    options.sequence.max_idle_ns = 200 * kMs;
    Start(options);
    runner_ = Runner();
    runner_.scheduler = scheduler_.get();
    runner_.is_busy = true;
    Send(1, kStart)->Cancel();
    runner_.RunAll();
    runner_.is_busy = false;
    EXPECT_THAT(runner_.batches, IsEmpty());
    EXPECT_EQ(sender_.answers.back().code(), StatusCode::kCancelled);
    timer_.Advance(500 * kMs);
    Send(2, kStart);
    Send(3, kStart);
    Send(4, kStart);
    EXPECT_EQ(scheduler_->queue_length(), 1u) << "two slots, and a third sequence";
    EXPECT_EQ(Refuse(1, kNone), StatusCode::kInvalidArgument);
  }
}

TEST_F(SequenceSchedulerTest, ACancelledRequestEndsItsSequence) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    Start(Options(strategy));
    runner_ = Runner();
    runner_.scheduler = scheduler_.get();
    sender_.answers.clear();
    Send(1, kStart);
    runner_.is_busy = true;
    Send(1, kNone)->Cancel();
    Send(1, kEnd);
    Send(2, kStart);
    runner_.RunAll();
    EXPECT_EQ(sender_.answers.size(), 2u);
    EXPECT_EQ(runner_.batches.back().back(), "2S");
    EXPECT_EQ(scheduler_->queue_length(), 0u);
    EXPECT_EQ(Refuse(1, kNone), StatusCode::kInvalidArgument);
  }
}

TEST_F(SequenceSchedulerTest, ASequenceInTheBacklogIsRejectedWhenItsTimeIsUp) {
  SchedulingOptions options = Options(Strategy::kDirect);
  options.batching.max_batch_size = 1;
  Start(options);
  Send(1, kStart);
  RequestPtr request = NewRequest(2, kStart);
  request->set_timeout_us(50'000);
  EXPECT_TRUE(Send(std::move(request)).ok());
  Send(2, kNone);
  timer_.Advance(49 * kMs);
  EXPECT_THAT(sender_.answers, IsEmpty());
  timer_.Advance(1 * kMs);
  ASSERT_EQ(sender_.answers.size(), 2u);
  EXPECT_EQ(sender_.answers[0].code(), StatusCode::kUnavailable);
  EXPECT_EQ(scheduler_->queue_length(), 0u);
}

TEST_F(SequenceSchedulerTest, StoppingAnswersWhatWaits) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    Start(Options(strategy));
    sender_.answers.clear();
    runner_.is_busy = true;
    for (uint64_t id = 1; id <= 6; ++id) Send(id, kStart);
    Send(1, kNone);
    scheduler_->Stop();
    EXPECT_EQ(sender_.answers.size(), 7u);
    EXPECT_EQ(sender_.answers[0].code(), StatusCode::kUnavailable);
    EXPECT_EQ(scheduler_->queue_length(), 0u);
  }
}

TEST_F(SequenceSchedulerTest, FlushingSendsWhatWaitsAndTakesNoNewSequence) {
  SchedulingOptions options = Options(Strategy::kDirect);
  options.batching.max_queue_delay_ns = 1000 * kMs;
  options.sequence.minimum_slot_utilization = 1;
  Start(options);
  Send(1, kStart);
  scheduler_->Flush();
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S"}));
  EXPECT_THAT(runner_.reasons, ElementsAre(BatchReason::kShutdown));
  EXPECT_EQ(Refuse(2, kStart), StatusCode::kUnavailable);
  Send(1, kEnd);
  EXPECT_EQ(runner_.batches.size(), 2u);
}

TEST_F(SequenceSchedulerTest, AShorterDelayAndIdleTimeApplyWithoutAReload) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.batching.max_queue_delay_ns = 1000 * kMs;
  Start(options);
  Send(1, kStart);
  EXPECT_THAT(runner_.batches, IsEmpty());
  options.batching.max_queue_delay_ns = 0;
  options.sequence.max_idle_ns = 10 * kMs;
  scheduler_->Reconfigure(options);
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"1S"}));
  timer_.Advance(10 * kMs);
  EXPECT_EQ(Refuse(1, kNone), StatusCode::kInvalidArgument);
}

TEST_F(SequenceSchedulerTest, OldestMayPreserveTheOrderOfAnswers) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.preserve_ordering = true;
  Start(options);
  runner_.holds = true;
  Send(1, kStart);
  const Batch first = runner_.batch;
  Send(2, kStart);
  InferenceRequest::Fail(RequestPtr(runner_.batch.requests[0]), InternalError("second"));
  EXPECT_THAT(sender_.answers, IsEmpty());
  InferenceRequest::Fail(RequestPtr(first.requests[0]), InternalError("first"));
  ASSERT_EQ(sender_.answers.size(), 2u);
  EXPECT_EQ(sender_.answers[0].message(), "first");
}
}  // namespace
}  // namespace workbench
