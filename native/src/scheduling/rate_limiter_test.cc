// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/rate_limiter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RateLimit Needs(const char* name, uint32_t count, uint32_t priority = 1, bool is_global = false) {
  return {{{name, is_global, count}}, priority};
}

class RateLimiterTest : public ::testing::Test {
 protected:
  RateLimiter::Slot Add(const RateLimit& limit, int32_t device = 0) {
    return limiter_.Add(limit, device).value();
  }
  void Ask(std::initializer_list<RateLimiter::Slot> slots) {
    for (const auto slot : slots) limiter_.Ask(slot);
  }

  RateLimiter limiter_{{{"R", 5, ResourceLimit::kEveryDevice}, {"S", 2, ResourceLimit::kEveryDevice}}};
};

TEST_F(RateLimiterTest, WhoeverFitsExecutes) {
  const auto a = Add(Needs("R", 2));
  const auto b = Add(Needs("R", 3));
  Ask({a, b});
  EXPECT_THAT(limiter_.Take(), ElementsAre(a, b));
}

TEST_F(RateLimiterTest, WhoDoesNotFitWaitsUntilEnoughIsFree) {
  const auto a = Add(Needs("R", 4));
  const auto b = Add(Needs("R", 4));
  Ask({a, b});
  EXPECT_THAT(limiter_.Take(), ElementsAre(a));
  EXPECT_THAT(limiter_.Take(), IsEmpty());
  limiter_.Finish(a);
  EXPECT_THAT(limiter_.Take(), ElementsAre(b));
}

TEST_F(RateLimiterTest, LowerExecutionsTimesPriorityGoesFirst) {
  const auto a = Add(Needs("R", 4, 1));
  const auto b = Add(Needs("R", 4, 2));
  std::vector<RateLimiter::Slot> order;
  Ask({a, b});
  for (int i = 0; i < 9; ++i) {
    const auto taken = limiter_.Take();
    ASSERT_EQ(taken.size(), 1u);
    order.push_back(taken.front());
    limiter_.Finish(taken.front());
    limiter_.Ask(taken.front());
  }
  EXPECT_EQ(std::count(order.begin(), order.end(), a), 6);
  EXPECT_EQ(std::count(order.begin(), order.end(), b), 3);
}

TEST_F(RateLimiterTest, OneThatNeedsMuchIsNotPassedOver) {
  const auto small = Add(Needs("R", 2));
  const auto other = Add(Needs("R", 2));
  const auto large = Add(Needs("R", 5));
  Ask({small});
  EXPECT_THAT(limiter_.Take(), ElementsAre(small));
  Ask({large, other});
  limiter_.Finish(small);
  EXPECT_THAT(limiter_.Take(), ElementsAre(large));
}

TEST_F(RateLimiterTest, WhoWaitsHoldsNobodyBackWhoNeedsOtherThings) {
  const auto a = Add(Needs("R", 5));
  const auto b = Add(Needs("R", 5));
  const auto c = Add(Needs("S", 1));
  const auto free = Add({});
  Ask({a, b, c, free});
  EXPECT_THAT(limiter_.Take(), ElementsAre(a, c, free));
}

TEST_F(RateLimiterTest, EachDeviceHasItsOwn) {
  const auto a = Add(Needs("R", 4), 0);
  const auto b = Add(Needs("R", 4), 1);
  Ask({a, b});
  EXPECT_THAT(limiter_.Take(), ElementsAre(a, b));
}

TEST_F(RateLimiterTest, WhatIsGlobalIsOneForAllDevices) {
  const auto a = Add(Needs("R", 4, 1, true), 0);
  const auto b = Add(Needs("R", 4, 1, true), 1);
  Ask({a, b});
  EXPECT_THAT(limiter_.Take(), ElementsAre(a));
}

TEST_F(RateLimiterTest, WhatCanNeverBeEnoughIsRefused) {
  const Status status = limiter_.Add(Needs("R", 6), 0).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("needs 6 of resource 'R', but the server has 5"));
  EXPECT_EQ(limiter_.Add(Needs("nowhere", 1), 0).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(RateLimiterTest, AResourceIsGlobalToAllOrToNone) {
  Add(Needs("R", 1));
  EXPECT_THAT(limiter_.Add(Needs("R", 1, 1, true), 0).status().message(), HasSubstr("global"));
}

TEST_F(RateLimiterTest, OneThatIsGoneIsForgotten) {
  const auto a = Add(Needs("R", 1));
  limiter_.Remove(a);
  EXPECT_TRUE(limiter_.Add(Needs("R", 1, 1, true), 0).ok());
}

TEST_F(RateLimiterTest, ChangedNeedsHoldFromTheNextExecution) {
  const auto a = Add(Needs("R", 4));
  const auto b = Add(Needs("R", 4));
  Ask({a, b});
  limiter_.Take();
  ASSERT_TRUE(limiter_.Change({{a, Needs("R", 1)}}).ok());
  EXPECT_THAT(limiter_.Take(), IsEmpty());
  limiter_.Finish(a);
  EXPECT_THAT(limiter_.Take(), ElementsAre(b));
  EXPECT_EQ(limiter_.Change({{a, Needs("R", 6)}}).code(), StatusCode::kInvalidArgument);
}

TEST(RateLimiterWithoutLimitsTest, ThereIsAsMuchAsTheNeediestNeeds) {
  RateLimiter limiter({});
  const auto a = limiter.Add(Needs("R", 4), 0).value();
  const auto b = limiter.Add(Needs("R", 4), 0).value();
  limiter.Ask(a);
  limiter.Ask(b);
  EXPECT_THAT(limiter.Take(), ElementsAre(a));
  limiter.Add(Needs("R", 10), 0).value();
  EXPECT_THAT(limiter.Take(), ElementsAre(b));
}

TEST(RateLimiterOfOneDeviceTest, ALimitOfADeviceTakesThePlaceOfTheGeneralOne) {
  RateLimiter limiter({{"R", 5, ResourceLimit::kEveryDevice}, {"R", 1, 0}});
  EXPECT_FALSE(limiter.Add(Needs("R", 2), 0).ok());
  EXPECT_TRUE(limiter.Add(Needs("R", 2), 1).ok());
}

}  // namespace
}  // namespace workbench
