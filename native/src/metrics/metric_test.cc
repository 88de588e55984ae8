// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "metrics/counter.h"
#include "metrics/gauge.h"
#include "metrics/histogram.h"

namespace workbench {
namespace {

using testing::ElementsAre;

TEST(CounterTest, GrowsByOneOrByWhatIsSaid) {
  Counter counter({});
  EXPECT_TRUE(counter.Increment().ok());
  EXPECT_TRUE(counter.Increment(2.5).ok());
  EXPECT_EQ(counter.value(), 3.5);
}

TEST(CounterTest, RefusesToShrink) {
  Counter counter({});
  EXPECT_EQ(counter.Increment(-1).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(counter.Increment(std::nan("")).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(counter.value(), 0);
}

TEST(CounterTest, LosesNoIncrementOfManyThreads) {
  Counter counter({});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int step = 0; step < 10'000; ++step) EXPECT_TRUE(counter.Increment().ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.value(), 40'000);
}

TEST(GaugeTest, GoesUpAndDown) {
  Gauge gauge({});
  gauge.Set(5);
  gauge.Add(-7);
  EXPECT_EQ(gauge.value(), -2);
}

TEST(HistogramTest, CountsAValueOnABoundInTheBucketBelow) {
  Histogram histogram({}, {1, 2});
  for (const double value : {0.5, 1.0, 1.5, 2.0, 3.0}) histogram.Observe(value);
  const HistogramReading reading = histogram.Read().histogram;
  EXPECT_THAT(reading.counts, ElementsAre(2, 2, 1));
  EXPECT_EQ(reading.sum, 8);
}

TEST(HistogramTest, HasOneBucketWithoutBounds) {
  Histogram histogram({}, {});
  histogram.Observe(1e9);
  EXPECT_THAT(histogram.Read().histogram.counts, ElementsAre(1));
}

TEST(HistogramTest, WantsAscendingBounds) {
  EXPECT_TRUE(Histogram::Check({}).ok());
  EXPECT_TRUE(Histogram::Check({1, 2, 3}).ok());
  EXPECT_EQ(Histogram::Check({1, 1}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Histogram::Check({1, std::nan("")}).code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(Histogram::Check({3, 2}).message(), testing::HasSubstr("3.000000 is followed by 2.000000"));
}

}  // namespace
}  // namespace workbench
