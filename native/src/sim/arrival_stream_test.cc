// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/arrival_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using testing::ElementsAre;

std::vector<uint64_t> Drain(ArrivalStream* stream) {
  std::vector<uint64_t> times;
  for (; stream->next_ns() != ArrivalStream::kNever; stream->Pop()) times.push_back(stream->next_ns());
  return times;
}

TEST(ArrivalStreamTest, FollowsASchedule) {
  const int64_t times_ns[] = {0, 5, 5, 9};
  TrafficOptions options;
  options.schedule_ns = times_ns;
  options.schedule_length = 4;
  ArrivalStream stream(options, 100);
  EXPECT_THAT(Drain(&stream), ElementsAre(100, 105, 105, 109));
}

TEST(ArrivalStreamTest, ExponentialGapsKeepTheirRateAndSeed) {
  TrafficOptions options;
  options.rate = 1e6;
  options.requests = 200'000;
  ArrivalStream stream(options, 0);
  ArrivalStream again(options, 0);
  const std::vector<uint64_t> times = Drain(&stream);
  EXPECT_EQ(times.size(), 200'000u);
  EXPECT_NEAR(static_cast<double>(times.back()), 2e8, 0.01 * 2e8);
  EXPECT_EQ(times, Drain(&again));
}

TEST(ArrivalStreamTest, ClosedLoopAsksAgainOnceAnswered) {
  TrafficOptions options;
  options.concurrency = 2;
  options.requests = 4;
  ArrivalStream stream(options, 10);
  EXPECT_THAT(Drain(&stream), ElementsAre(10, 10));
  stream.Return(30);
  EXPECT_THAT(Drain(&stream), ElementsAre(30));
  stream.Return(40);
  stream.Return(50);
  EXPECT_THAT(Drain(&stream), ElementsAre(40));  // four in all
}

TEST(ArrivalStreamTest, TrafficIsOfOneKind) {
  TrafficOptions options;
  options.requests = 1;
  EXPECT_FALSE(Check(options).ok());
  options.rate = 10;
  EXPECT_TRUE(Check(options).ok());
  options.concurrency = 1;
  EXPECT_FALSE(Check(options).ok());
}

TEST(ArrivalStreamTest, RefusesTimesThatGoBack) {
  const int64_t times_ns[] = {5, 4};
  TrafficOptions options;
  options.schedule_ns = times_ns;
  options.schedule_length = 2;
  EXPECT_FALSE(Check(options).ok());
}

}  // namespace
}  // namespace workbench
