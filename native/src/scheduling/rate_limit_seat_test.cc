// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/rate_limit_seat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace workbench {
namespace {

using ::testing::HasSubstr;

class RateLimitSeatTest : public ::testing::Test {
 protected:
  static RateLimit Needs(uint32_t count) { return {{{"R", false, count}}, 1}; }
  static RateLimit NeedsGlobally(uint32_t count) { return {{{"R", true, count}}, 1}; }
  std::unique_ptr<RateLimitSeat> Seat(const RateLimit& limit) {
    return std::move(RateLimitSeat::Create(gate_, limit, 0)).value();
  }
  // Whether the seat is let in although `holder` is inside: it is told by whether that has to leave first.
  static bool WaitsFor(RateLimitSeat* holder, RateLimitSeat* seat) {
    return WaitsUntil([holder] { holder->Leave(true); }, seat);
  }
  static bool WaitsUntil(const std::function<void()>& let_go, RateLimitSeat* seat) {
    std::atomic<bool> is_inside{false};
    std::atomic<bool> has_left{false};
    bool came_after = false;
    std::thread thread([&] {
      seat->Enter();
      came_after = has_left;
      is_inside = true;
      seat->Leave(true);
    });
    for (int i = 0; i < 2000 && !is_inside; ++i) std::this_thread::yield();
    has_left = !is_inside;
    let_go();
    thread.join();
    return came_after;
  }

  std::shared_ptr<RateLimitGate> gate_ =
      std::make_shared<RateLimitGate>(std::vector<ResourceLimit>{{"R", 5, ResourceLimit::kEveryDevice}});
};

TEST_F(RateLimitSeatTest, InstancesEnterTogetherWhereThereIsEnoughForBoth) {
  const auto one = Seat(Needs(2));
  const auto other = Seat(Needs(3));
  one->Enter();
  other->Enter();
  one->Leave(true);
  other->Leave(true);
}

TEST_F(RateLimitSeatTest, AnInstanceWaitsForTheResourcesOfAnother) {
  const auto one = Seat(Needs(4));
  const auto other = Seat(Needs(4));
  one->Enter();
  EXPECT_TRUE(WaitsFor(one.get(), other.get()));
}

TEST_F(RateLimitSeatTest, WhoHadNothingToExecuteHoldsNothing) {
  const auto idle = Seat(Needs(5));
  const auto busy = Seat(Needs(5));
  idle->Enter();
  idle->Leave(false);
  busy->Enter();
  busy->Leave(true);
}

TEST_F(RateLimitSeatTest, WhoWantsToExecuteAgainCompetesWithThoseWhoWaited) {
  const auto often = Seat(Needs(5));
  const auto seldom = Seat({{{"R", false, 5}}, 3});
  std::vector<char> order;  // of those inside
  seldom->Enter();
  seldom->Leave(true);
  often->Enter();
  std::thread thread([&] {
    seldom->Enter();
    order.push_back('s');
    seldom->Leave(true);
  });
  for (int i = 0; i < 3; ++i) {
    order.push_back('o');
    often->Leave(true, i < 2);
    if (i < 2) often->Enter();
  }
  thread.join();
  EXPECT_EQ(std::string(order.begin(), order.end()), "ooos");
}

TEST_F(RateLimitSeatTest, WhoWithdrawsHoldsNothing) {
  const auto one = Seat(Needs(5));
  const auto other = Seat(Needs(5));
  one->Enter();
  one->Leave(true, true);
  one->Withdraw();
  other->Enter();
  other->Leave(true);
}

// Its thread goes to sleep after that, and would hold what others wait for until there is work again.
TEST_F(RateLimitSeatTest, WhoFoundNothingHoldsNothingThoughThereSeemsToBeMore) {
  const auto one = Seat(Needs(5));
  const auto other = Seat(Needs(5));
  EXPECT_FALSE(one->Turn([] { return true; }, [] { return false; }, true));
  other->Enter();
  other->Leave(true);
}

TEST_F(RateLimitSeatTest, AThreadWithAnotherInstanceToServeHoldsNothingBetweenTurns) {
  const auto one = Seat(Needs(5));
  const auto other = Seat(Needs(5));
  const auto yes = [] { return true; };
  EXPECT_TRUE(one->Turn(yes, yes, false));
  EXPECT_TRUE(other->Turn(yes, yes, false));
}

TEST_F(RateLimitSeatTest, WhoHasMoreToExecuteAsksAhead) {
  const auto one = Seat(Needs(5));
  const auto other = Seat(Needs(5));
  const auto yes = [] { return true; };
  EXPECT_TRUE(one->Turn(yes, yes, true));
  EXPECT_TRUE(WaitsUntil([&one] { one->Withdraw(); }, other.get()));
}

TEST_F(RateLimitSeatTest, WhoHasNothingReadyLetsGoOfItsTurn) {
  const auto one = Seat(Needs(5));
  const auto other = Seat(Needs(5));
  const auto yes = [] { return true; };
  EXPECT_TRUE(one->Turn(yes, yes, true));
  EXPECT_FALSE(one->Turn([] { return false; }, yes, true));
  other->Enter();
  other->Leave(true);
}

TEST_F(RateLimitSeatTest, WhoNeedsNothingIsLetInAlways) {
  const auto one = Seat(Needs(5));
  const auto other = Seat(RateLimit());
  one->Enter();
  other->Enter();
  other->Leave(true);
  one->Leave(true);
}

TEST_F(RateLimitSeatTest, WhatCanNeverBeEnoughIsRefusedAndTakesNoPlace) {
  const auto made = RateLimitSeat::Create(gate_, Needs(6), 0);
  EXPECT_EQ(made.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(made.status().message(), HasSubstr("'R'"));
  EXPECT_TRUE(RateLimitSeat::Create(gate_, NeedsGlobally(5), 0).ok());
}

TEST_F(RateLimitSeatTest, LimitsChangeTogetherOrNotAtAll) {
  const auto one = Seat(Needs(5));
  const auto other = Seat(Needs(5));
  EXPECT_FALSE(RateLimitSeat::Change({{one.get(), Needs(1)}, {other.get(), Needs(6)}}).ok());
  one->Enter();
  EXPECT_TRUE(WaitsFor(one.get(), other.get()));
  EXPECT_TRUE(RateLimitSeat::Change({{one.get(), Needs(2)}, {other.get(), Needs(3)}}).ok());
  one->Enter();
  other->Enter();
  one->Leave(true);
  other->Leave(true);
}

TEST_F(RateLimitSeatTest, AllWhoNeedAResourceCanAgreeOnAnotherKindOfIt) {
  const auto one = Seat(Needs(5));
  const auto other = Seat(Needs(5));
  EXPECT_FALSE(RateLimitSeat::Change({{one.get(), NeedsGlobally(5)}}).ok());
  EXPECT_TRUE(RateLimitSeat::Change({{one.get(), NeedsGlobally(5)}, {other.get(), NeedsGlobally(5)}}).ok());
}

TEST_F(RateLimitSeatTest, WhatIsHeldIsGivenBackThoughTheNeedsChangedMeanwhile) {
  const auto one = Seat(Needs(5));
  one->Enter();
  EXPECT_TRUE(RateLimitSeat::Change({{one.get(), RateLimit()}}).ok());
  one->Leave(true);
  const auto other = Seat(Needs(5));
  other->Enter();
  other->Leave(true);
}

}  // namespace
}  // namespace workbench
