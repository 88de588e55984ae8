// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/pause_cost.h"

#include <gtest/gtest.h>

#include "sim/service_model.h"

namespace workbench {
namespace {

TEST(PauseCostTest, IsStraightBetweenItsPointsAndLevelBeyondThem) {
  const PauseCost cost({{100, 10}, {300, 50}, {500, 40}});
  EXPECT_EQ(cost.After(0), 0u);
  EXPECT_EQ(cost.After(1), 10u);
  EXPECT_EQ(cost.After(100), 10u);
  EXPECT_EQ(cost.After(200), 30u);
  EXPECT_EQ(cost.After(400), 45u);
  EXPECT_EQ(cost.After(1'000'000), 40u);
}

TEST(PauseCostTest, IsNothingWithoutPoints) { EXPECT_EQ(PauseCost({}).After(5), 0u); }

TEST(PauseCostTest, HoldsTheLongestPauseAndTheDearestExecution) {
  const PauseCost cost({{0, 0}, {kLongestPauseNs, kLongestPauseNs}});
  EXPECT_EQ(cost.After(kLongestPauseNs - 1), kLongestPauseNs - 1);
}

TEST(PauseCostTest, PausesThatDoNotRiseAreRefused) {
  ServiceModel model;
  model.service_ns = {1'000};
  model.after_pause = {{100, 1}, {100, 2}};
  EXPECT_FALSE(Check(model).ok());
  model.after_pause = {{100, kLongestPauseNs + 1}};
  EXPECT_FALSE(Check(model).ok());
  model.after_pause = {{0, 1}, {100, 2}};
  EXPECT_TRUE(Check(model).ok());
}

}  // namespace
}  // namespace workbench
