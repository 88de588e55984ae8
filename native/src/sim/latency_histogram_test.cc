// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/latency_histogram.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

TEST(LatencyHistogramTest, QuantilesLieWithinAFewThousandths) {
  LatencyHistogram histogram;
  for (uint64_t i = 1; i <= 100'000; ++i) histogram.Add(i * 37);
  for (double q : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    EXPECT_NEAR(histogram.Quantile(q) / (q * 3'700'000), 1, 0.002) << q;
  }
  EXPECT_EQ(histogram.Quantile(1), 3'700'000);
}

TEST(LatencyHistogramTest, MeanAndMaximumAreExact) {
  LatencyHistogram histogram;
  for (uint64_t value_ns : {3u, 500u, 1'000'001u}) histogram.Add(value_ns);
  EXPECT_DOUBLE_EQ(histogram.mean_ns(), 1'000'504 / 3.0);
  EXPECT_EQ(histogram.max_ns(), 1'000'001u);
}

TEST(LatencyHistogramTest, TakesTheLargestTime) {
  LatencyHistogram histogram;
  histogram.Add(UINT64_MAX);
  EXPECT_GT(histogram.Quantile(0.5), 1.8e19);
}

TEST(LatencyHistogramTest, OfNothingIsZero) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.Quantile(0.99), 0);
  EXPECT_EQ(histogram.mean_ns(), 0);
}

}  // namespace
}  // namespace workbench
