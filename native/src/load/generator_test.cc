// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "load/testing.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kMinuteNs = 60'000'000'000;

class SenderTest : public ::testing::Test {
 protected:
  SenderTest() {
    auto pacer = std::make_unique<FakePacer>(clock_);
    pacer_ = pacer.get();
    state_ = std::make_shared<LoadState>(std::move(pacer), 100, 0, 1);
  }
  std::vector<LoadRecord> records() const { return state_->recorder().Records(); }

  FakeClock clock_;
  FakePacer* pacer_;
  std::shared_ptr<LoadState> state_;
  LoadOptions options_;
};

TEST_F(SenderTest, OpenLoopSendsEachRequestAtItsTime) {
  options_.schedule_ns = {100, 250, 900};
  InlineTarget target(clock_);
  SendOpenLoop(options_, state_, target);
  EXPECT_THAT(target.sent, ElementsAre(0, 1, 2));
  ASSERT_EQ(records().size(), 3u);
  EXPECT_EQ(records()[2].sent_ns, 900);
}

TEST_F(SenderTest, OpenLoopLatencyOfABlockedSenderRunsFromTheIntendedTime) {
  options_.schedule_ns = {0, 100};
  InlineTarget target(clock_, /*service_ns=*/1000);
  SendOpenLoop(options_, state_, target);
  EXPECT_EQ(records()[1].intended_ns, 100);
  EXPECT_EQ(records()[1].sent_ns, 1000);
  EXPECT_EQ(records()[1].done_ns, 2000);
}

TEST_F(SenderTest, OpenLoopTellsHowLateItWoke) {
  options_.schedule_ns = {100};
  pacer_->oversleep_ns = 7;
  InlineTarget target(clock_);
  SendOpenLoop(options_, state_, target);
  EXPECT_EQ(records()[0].sent_ns - records()[0].intended_ns, 7);
}

TEST_F(SenderTest, ClosedLoopSendsUntilItsTimeIsOver) {
  options_.concurrency = 1;
  options_.duration_ns = 1000;
  InlineTarget target(clock_, /*service_ns=*/300);
  SendClosedLoop(options_, state_, target);
  EXPECT_EQ(records().size(), 4u) << "at 0, 300, 600 and 900";
}

TEST_F(SenderTest, ClosedLoopSendsNoMoreThanItsLimit) {
  options_.concurrency = 2;
  options_.request_limit = 5;
  InlineTarget target(clock_);
  SendClosedLoop(options_, state_, target);
  EXPECT_EQ(target.sent.size(), 5u);
}

TEST_F(SenderTest, RecordsTheStatusOfRefusedRequests) {
  options_.schedule_ns = {0};
  InlineTarget target(clock_);
  target.status = StatusCode::kUnavailable;
  SendOpenLoop(options_, state_, target);
  EXPECT_EQ(records()[0].status, static_cast<uint32_t>(StatusCode::kUnavailable));
}

class GeneratorTest : public ::testing::Test {
 protected:
  std::unique_ptr<LoadRun> Start(LoadOptions options) {
    return std::move(StartLoad(std::move(options), std::make_unique<HoldingTarget>(held_))).value();
  }

  std::shared_ptr<HoldingTarget::Held> held_ = std::make_shared<HoldingTarget::Held>();
};

TEST_F(GeneratorTest, ClosedLoopKeepsItsConcurrencyInFlight) {
  LoadOptions options;
  options.concurrency = 4;
  options.request_limit = 12;
  auto run = Start(options);
  for (int round = 0; round < 3; ++round) {
    held_->WaitFor(4);
    EXPECT_LE(run->progress().sent - run->progress().answered, 4u);
    held_->AnswerAll();
  }
  EXPECT_TRUE(run->Wait(kMinuteNs));
  EXPECT_EQ(run->Records().size(), 12u);
}

TEST_F(GeneratorTest, OpenLoopDoesNotWaitForAnswers) {
  LoadOptions options;
  options.schedule_ns = {0, 1, 2, 3, 4, 5, 6, 7};
  auto run = Start(options);
  held_->WaitFor(8);
  EXPECT_FALSE(run->Wait(0));
  held_->AnswerAll();
  EXPECT_TRUE(run->Wait(kMinuteNs));
}

TEST_F(GeneratorTest, OpenLoopStaysWithinItsBound) {
  LoadOptions options;
  options.schedule_ns = {0, 1, 2};
  options.max_in_flight = 2;
  auto run = Start(options);
  held_->WaitFor(2);
  EXPECT_EQ(run->progress().sent, 2u);
  held_->AnswerAll();
  held_->WaitFor(1);
  held_->AnswerAll();
  EXPECT_TRUE(run->Wait(kMinuteNs));
}

TEST_F(GeneratorTest, SeveralSendersShareOneSchedule) {
  LoadOptions options;
  options.schedule_ns.assign(500, 0);
  options.sender_count = 3;
  auto run = Start(options);
  held_->WaitFor(500);
  held_->AnswerAll();
  EXPECT_TRUE(run->Wait(kMinuteNs));
  EXPECT_EQ(run->Records().size(), 500u);
}

TEST_F(GeneratorTest, StopEndsARunWhoseRequestsAreNotAnswered) {
  LoadOptions options;
  options.schedule_ns = {0, static_cast<int64_t>(60 * kMinuteNs)};
  auto run = Start(options);
  held_->WaitFor(1);
  run->Stop();
  EXPECT_TRUE(run->Wait(kMinuteNs));
  EXPECT_EQ(run->Records().size(), 1u);
}

TEST_F(GeneratorTest, AnswersMayComeAfterTheRunIsGone) {
  LoadOptions options;
  options.schedule_ns = {0};
  auto run = Start(options);
  held_->WaitFor(1);
  run.reset();
  held_->AnswerAll();
}

TEST_F(GeneratorTest, KeepsWhatRequestsBorrowUntilTheyAreAnswered) {
  auto bytes = std::make_shared<int>(7);
  const std::weak_ptr<int> watched = bytes;
  LoadOptions options;
  options.schedule_ns = {0};
  options.borrowed = std::move(bytes);
  auto run = Start(std::move(options));
  held_->WaitFor(1);
  run.reset();
  EXPECT_FALSE(watched.expired());
  held_->AnswerAll();
  EXPECT_TRUE(watched.expired());
}

TEST_F(GeneratorTest, RefusesMoreRequestsThanMemoryHoldsRecordsOf) {
  LoadOptions options;
  options.concurrency = 1;
  options.request_limit = uint64_t{1} << 50;
  EXPECT_EQ(StartLoad(options, std::make_unique<HoldingTarget>(held_)).status().code(),
            StatusCode::kUnavailable);
}

TEST_F(GeneratorTest, RefusesARunWithScheduleAndConcurrencyOrWithNeither) {
  LoadOptions both;
  both.schedule_ns = {0};
  both.concurrency = 1;
  EXPECT_EQ(StartLoad(both, std::make_unique<HoldingTarget>(held_)).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(StartLoad({}, std::make_unique<HoldingTarget>(held_)).status().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace workbench
