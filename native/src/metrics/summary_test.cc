// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "testing/fake_clock.h"

namespace workbench {
namespace {

class SummaryTest : public testing::Test {
 protected:
  double Quantile(size_t index) { return summary_.Read().summary.quantiles.at(index).second; }
  FakeClock clock_;
  Summary summary_{{{"model", "m"}}, {0.5, 0.9, 1}, clock_};
};

TEST_F(SummaryTest, TellsQuantilesCountAndSum) {
  for (int value = 1; value <= 100; ++value) summary_.Observe(value);
  EXPECT_EQ(Quantile(0), 50);
  EXPECT_EQ(Quantile(1), 90);
  EXPECT_EQ(Quantile(2), 100);
  EXPECT_EQ(summary_.Read().summary.count, 100u);
  EXPECT_EQ(summary_.Read().summary.sum, 5050);
}

TEST_F(SummaryTest, HasNoQuantileOfNothing) { EXPECT_TRUE(std::isnan(Quantile(0))); }

TEST_F(SummaryTest, ForgetsValuesAfterAMinuteButNotThatTheyWere) {
  summary_.Observe(5);
  clock_.Advance(Summary::kAgeNs + 1);
  EXPECT_TRUE(std::isnan(Quantile(0)));
  summary_.Observe(7);
  EXPECT_EQ(Quantile(0), 7);
  EXPECT_EQ(summary_.Read().summary.count, 2u);
}

TEST_F(SummaryTest, KeepsTheLatestOfVeryMany) {
  for (size_t i = 0; i < Summary::kValues; ++i) summary_.Observe(1);
  for (size_t i = 0; i < Summary::kValues; ++i) summary_.Observe(2);
  EXPECT_EQ(Quantile(0), 2);
}

}  // namespace
}  // namespace workbench
