// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_fixture.h"

namespace workbench {
namespace {

using ::testing::HasSubstr;

class IterativeSequenceTest : public SequenceSchedulerTest {
 protected:
  void StartIterative(Strategy strategy) {
    SchedulingOptions options = Options(strategy);
    options.sequence.is_iterative = true;
    options.sequence.states = {Sum()};
    Start(options);
    runner_.holds = true;
  }
};

TEST_F(IterativeSequenceTest, ARequestWithoutAnIdIsASequenceOfItsOwnThatIsExecutedAgain) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    StartIterative(strategy);
    InferenceRequest* const request = Send(0, kNone);
    Texts seen;
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(runner_.batch.requests[0], request);
      EXPECT_EQ(request->flags(), i == 0 ? kStart : kNone);
      Count(request, &seen);
      if (i < 2) ASSERT_TRUE(request->Reschedule().ok());
    }
    runner_.ReleaseAll();
    EXPECT_EQ(seen.size(), 3u);
    EXPECT_THAT(seen[2], HasSubstr(":2"));
    EXPECT_EQ(scheduler_->queue_length(), 0u);
    timer_.Advance(10'000 * kMs);
  }
}

TEST_F(IterativeSequenceTest, TheSlotIsFreeOnceTheRequestIsDone) {
  StartIterative(Strategy::kDirect);
  for (int i = 0; i < 10; ++i) {
    InferenceRequest* const request = Send(0, kNone);
    ASSERT_TRUE(request->Reschedule().ok());
    ASSERT_EQ(runner_.batch.requests.size(), 1u);
    runner_.ReleaseAll();
  }
}

TEST_F(IterativeSequenceTest, TheSenderGetsItsIdAndFlagsBack) {
  StartIterative(Strategy::kOldest);
  InferenceRequest* const request = Send(5, kStart);
  ASSERT_TRUE(request->Reschedule().ok());
  EXPECT_EQ(request->flags(), kNone);
  static uint32_t flags;
  static uint64_t id;
  request->AddReleaseCallback(
      [](InferenceRequest* r, uint32_t, void*) {
        flags = r->flags();
        id = r->correlation_id();
      },
      nullptr);
  runner_.ReleaseAll();
  EXPECT_EQ(flags, kStart);
  EXPECT_EQ(id, 5u);
}

TEST_F(IterativeSequenceTest, ACancelledRequestIsNotExecutedAgain) {
  StartIterative(Strategy::kOldest);
  InferenceRequest* const request = Send(0, kNone);
  request->Cancel();
  ASSERT_TRUE(request->Reschedule().ok());
  ASSERT_EQ(sender_.answers.size(), 1u);
  EXPECT_EQ(sender_.answers[0].code(), StatusCode::kCancelled);
}

TEST_F(IterativeSequenceTest, ARequestThatEndsItsSequenceIsNotExecutedAgain) {
  StartIterative(Strategy::kOldest);
  InferenceRequest* const request = Send(5, kStart | kEnd);
  EXPECT_EQ(request->Reschedule().code(), StatusCode::kInvalidArgument);
  runner_.ReleaseAll();
}

TEST_F(SequenceSchedulerTest, WithoutIterativeSequencesNothingIsExecutedAgain) {
  Start(Options(Strategy::kOldest));
  runner_.holds = true;
  InferenceRequest* const request = Send(5, kStart);
  const Status status = request->Reschedule();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("iterative_sequence"));
  runner_.ReleaseAll();
}
}  // namespace
}  // namespace workbench
