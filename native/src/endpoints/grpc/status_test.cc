// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/status.h"

#include <gtest/gtest.h>

#include <string>

#include "endpoints/grpc/frame_tracker.h"
#include "endpoints/grpc/reset_budget.h"

namespace workbench {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;
using TimePoint = std::chrono::steady_clock::time_point;

TEST(GrpcStatusTest, TextsAreEncodedToPrintableAscii) {
  EXPECT_EQ(PercentEncoded("50 % of \xc3\xa9\n"), "50 %25 of %C3%A9%0A");
  EXPECT_EQ(PercentEncoded("plain"), "plain");
}

TEST(GrpcStatusTest, TimeoutsHaveUnits) {
  EXPECT_EQ(TimeoutOf("100m").value(), nanoseconds(100'000'000));
  EXPECT_EQ(TimeoutOf("2H").value(), std::chrono::hours(2));
  EXPECT_EQ(TimeoutOf("0n").value(), nanoseconds(0));
  EXPECT_GT(TimeoutOf("99999999H").value(), std::chrono::hours(8000));
  for (const char* const wrong : {"", "m", "1", "1x", "-1S", "1.5S", "123456789S"})
    EXPECT_FALSE(TimeoutOf(wrong).ok());
}

TEST(FrameTrackerTest, KnowsWhereFramesEndInAnyPieces) {
  const std::string greeting(24, 'P');
  const std::string frame = std::string("\0\0\3\0\0\0\0\0\1", 9) + "abc";
  const std::string empty("\0\0\0\4\0\0\0\0\0", 9);
  const std::string bytes = greeting + frame + empty + frame;
  for (size_t piece = 1; piece <= bytes.size(); ++piece) {
    FrameTracker frames{TimePoint()};
    for (size_t at = 0; at < bytes.size(); at += piece) {
      EXPECT_TRUE(at == 0 || at == 24 || at == 36 || at == 45 || frames.is_within()) << piece << " at " << at;
      frames.Take(std::string_view(bytes).substr(at, piece), TimePoint(seconds(at)));
    }
    EXPECT_FALSE(frames.is_within()) << piece;
  }
}

TEST(FrameTrackerTest, TellsSinceWhenAFrameIsThere) {
  FrameTracker frames{TimePoint()};
  EXPECT_TRUE(frames.is_within());
  frames.Take(std::string(24, 'P'), TimePoint(seconds(1)));
  frames.Take(std::string("\0\0\3", 3), TimePoint(seconds(5)));
  frames.Take(std::string("\0\0\0\0\0\1a", 7), TimePoint(seconds(9)));
  EXPECT_EQ(frames.since(), TimePoint(seconds(5)));
}

TEST(ResetBudgetTest, TakesABurstAndThenSoManyASecond) {
  ResetBudget resets;
  const TimePoint start(seconds(100));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(resets.Spend(start)) << i;
  EXPECT_FALSE(resets.Spend(start));
  EXPECT_TRUE(resets.Spend(start + seconds(1)));
}

}  // namespace
}  // namespace workbench
