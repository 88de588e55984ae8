// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/arrival.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int64_t> Draw(ArrivalKind kind, uint64_t count, uint64_t seed = 1, double shape = 0.5) {
  ArrivalOptions options;
  options.kind = kind;
  options.rate = 1000;
  options.count = count;
  options.seed = seed;
  options.shape = shape;
  return DrawArrivals(options).value();
}

struct Moments {
  double mean;
  double squared_variation;  // variance over squared mean
};

Moments GapMoments(const std::vector<int64_t>& times) {
  double sum = 0;
  double squares = 0;
  int64_t before = 0;
  for (int64_t time : times) {
    const auto gap = static_cast<double>(time - before);
    sum += gap;
    squares += gap * gap;
    before = time;
  }
  const double mean = sum / times.size();
  return {mean, squares / times.size() / (mean * mean) - 1};
}

TEST(ArrivalTest, ConstantArrivalsHaveEqualGaps) {
  EXPECT_THAT(Draw(ArrivalKind::kConstant, 3), ElementsAre(1'000'000, 2'000'000, 3'000'000));
}

TEST(ArrivalTest, PoissonGapsHaveTheMeanAndVariationOfAnExponential) {
  const Moments gaps = GapMoments(Draw(ArrivalKind::kPoisson, 400'000));
  EXPECT_NEAR(gaps.mean, 1e6, 1e4);
  EXPECT_NEAR(gaps.squared_variation, 1, 0.02);
}

TEST(ArrivalTest, GammaGapsVaryAsTheirShapeSays) {
  for (double shape : {0.25, 0.5, 4.0}) {
    const Moments gaps = GapMoments(Draw(ArrivalKind::kGamma, 400'000, 1, shape));
    EXPECT_NEAR(gaps.mean, 1e6, 2e4) << shape;
    EXPECT_NEAR(gaps.squared_variation * shape, 1, 0.04) << shape;
  }
}

TEST(ArrivalTest, MarkovArrivalsKeepTheMeanRateButComeInBursts) {
  const Moments gaps = GapMoments(Draw(ArrivalKind::kMarkov, 1'000'000, 1, 9.0));
  EXPECT_NEAR(gaps.mean, 1e6, 4e4);
  EXPECT_GT(gaps.squared_variation, 1.5);
}

TEST(ArrivalTest, TheSameSeedDrawsTheSameTimesAndAnotherSeedOthers) {
  for (auto kind : {ArrivalKind::kPoisson, ArrivalKind::kGamma, ArrivalKind::kMarkov}) {
    EXPECT_EQ(Draw(kind, 1000, 7), Draw(kind, 1000, 7));
    EXPECT_NE(Draw(kind, 1000, 7), Draw(kind, 1000, 8));
  }
}

TEST(ArrivalTest, TimesAscend) {
  for (auto kind : {ArrivalKind::kPoisson, ArrivalKind::kGamma, ArrivalKind::kMarkov}) {
    const auto times = Draw(kind, 10'000);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
    EXPECT_TRUE(CheckSchedule(times).ok());
  }
}

TEST(ArrivalTest, RefusesARateThatIsNotPositive) {
  ArrivalOptions options;
  for (double rate : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    options.rate = rate;
    EXPECT_EQ(DrawArrivals(options).status().code(), StatusCode::kInvalidArgument) << rate;
  }
}

TEST(ArrivalTest, NamesTheKindsThatThereAreWhenAskedForAnother) {
  EXPECT_EQ(ArrivalKindOf("gamma").value(), ArrivalKind::kGamma);
  EXPECT_THAT(ArrivalKindOf("uniform").status().message(), HasSubstr("constant, poisson, gamma and markov"));
}

TEST(ArrivalTest, RefusesAScheduleThatGoesBackInTime) {
  EXPECT_EQ(CheckSchedule({1, 3, 2}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(CheckSchedule({-1, 3}).code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace workbench
