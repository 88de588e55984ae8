// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/load_state.h"

#include <gtest/gtest.h>

#include <thread>

#include "load/testing.h"

namespace workbench {
namespace {

class LoadStateTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  LoadState state_{std::make_unique<FakePacer>(clock_), 8, 0, /*sender_count=*/1};
};

TEST_F(LoadStateTest, TimesCountFromTheStart) {
  clock_.Advance(500);
  state_.Sent(0, 400);
  clock_.Advance(100);
  state_.Done(0, StatusCode::kOk);
  const LoadRecord record = state_.recorder().Records().at(0);
  EXPECT_EQ(record.intended_ns, 400);
  EXPECT_EQ(record.sent_ns, 500);
  EXPECT_EQ(record.done_ns, 600);
}

TEST_F(LoadStateTest, APlaceIsFreeAgainOnceItsRequestIsAnswered) {
  ASSERT_TRUE(state_.TakePlace(1));
  std::thread answer([&] { state_.Done(0, StatusCode::kOk); });
  EXPECT_TRUE(state_.TakePlace(1));
  answer.join();
}

TEST_F(LoadStateTest, StopWakesASenderThatWaitsForAPlace) {
  ASSERT_TRUE(state_.TakePlace(1));
  std::thread stopper([&] { state_.Stop(); });
  EXPECT_FALSE(state_.TakePlace(1));
  stopper.join();
}

TEST_F(LoadStateTest, EndsOnceTheSendersEndedAndAllIsAnswered) {
  ASSERT_TRUE(state_.TakePlace(2));
  state_.Sent(0, 0);
  state_.SenderEnded();
  EXPECT_FALSE(state_.WaitForEnd(0));
  state_.Done(0, StatusCode::kOk);
  EXPECT_TRUE(state_.WaitForEnd(0));
}

TEST_F(LoadStateTest, WakesWhoeverWaitsForTheEnd) {
  ASSERT_TRUE(state_.TakePlace(1));
  state_.SenderEnded();
  std::thread answer([&] { state_.Done(0, StatusCode::kOk); });
  EXPECT_TRUE(state_.WaitForEnd(uint64_t{60} * 1'000'000'000));
  answer.join();
}

TEST_F(LoadStateTest, AStoppedRunDoesNotWaitForAnswers) {
  ASSERT_TRUE(state_.TakePlace(1));
  state_.Stop();
  EXPECT_FALSE(state_.WaitForEnd(0)) << "the sender is still there";
  state_.SenderEnded();
  EXPECT_TRUE(state_.WaitForEnd(0));
}

TEST_F(LoadStateTest, CountsWhatFailed) {
  state_.TakePlace(2);
  state_.TakePlace(2);
  state_.Sent(0, 0);
  state_.Sent(1, 0);
  state_.Done(0, StatusCode::kOk);
  state_.Done(1, StatusCode::kUnavailable);
  const LoadProgress progress = state_.progress(8);
  EXPECT_EQ(progress.planned, 8u);
  EXPECT_EQ(progress.sent, 2u);
  EXPECT_EQ(progress.answered, 2u);
  EXPECT_EQ(progress.failed, 1u);
}

}  // namespace
}  // namespace workbench
