// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/expected_gap.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

constexpr uint64_t kUs = 1'000;

class ExpectedGapTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (CoreCount() < 2) GTEST_SKIP() << "polling needs a second core";
  }

  void Wait(uint64_t gap_ns, int times = 1) {
    for (; times > 0; --times) {
      gap_.Begin(now_ns_);
      now_ns_ += gap_ns;
      gap_.End(now_ns_);
      now_ns_ += 5 * kUs;  // at work
    }
  }

  uint64_t now_ns_ = 1'000 * kUs;
  ExpectedGap gap_{100 * kUs};
};

TEST_F(ExpectedGapTest, AThreadThatJustStartedExpectsWork) { EXPECT_TRUE(gap_.is_short()); }

TEST_F(ExpectedGapTest, ShortGapsAreExpectedAfterShortOnes) {
  Wait(30 * kUs, 100);
  EXPECT_TRUE(gap_.is_short());
}

TEST_F(ExpectedGapTest, LongGapsAreExpectedAfterLongOnes) {
  Wait(150 * kUs, 100);
  EXPECT_FALSE(gap_.is_short());
}

TEST_F(ExpectedGapTest, OneGapSaysLittle) {
  Wait(30 * kUs, 100);
  Wait(150 * kUs);
  EXPECT_TRUE(gap_.is_short());
}

TEST_F(ExpectedGapTest, AfterALongPauseAFewShortGapsAreEnough) {
  Wait(10 * kUs, 100);
  Wait(3'600'000'000 * kUs);
  EXPECT_FALSE(gap_.is_short());
  Wait(10 * kUs, 3);
  EXPECT_TRUE(gap_.is_short());
}

// As a client's that is answered at once by who polls, and sleeps beside who sleeps.
TEST_F(ExpectedGapTest, GapsThatPollingMakesShortAreFound) {
  Wait(150 * kUs, 100);
  for (int i = 0; i < 1'000; ++i) Wait(gap_.is_short() ? 20 * kUs : 150 * kUs);
  EXPECT_TRUE(gap_.is_short());
}

TEST_F(ExpectedGapTest, PollingInVainIsRare) {
  int poll_count = 0;
  for (int i = 0; i < 10'000; ++i) {
    poll_count += gap_.is_short() ? 1 : 0;
    Wait(150 * kUs);
  }
  EXPECT_LT(poll_count, 500);
}

TEST_F(ExpectedGapTest, WhatIsQuietIsNotTriedAgain) {
  Wait(1'000 * kUs, 100);
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_FALSE(gap_.is_short());
    Wait(1'000 * kUs);
  }
}

TEST_F(ExpectedGapTest, AGapBeginsOnce) {
  for (int i = 0; i < 100; ++i) {
    gap_.Begin(now_ns_);
    gap_.Begin(now_ns_ + 140 * kUs);  // looked, and found nothing
    now_ns_ += 150 * kUs;
    gap_.End(now_ns_);
  }
  EXPECT_FALSE(gap_.is_short());
}

TEST_F(ExpectedGapTest, WorkThatCameBeforeTheGapBeganEndsItAtOnce) {
  Wait(150 * kUs, 100);
  for (int i = 0; i < 100; ++i) {
    gap_.Begin(now_ns_);
    gap_.End(now_ns_ - 10 * kUs);
  }
  EXPECT_TRUE(gap_.is_short());
}

TEST_F(ExpectedGapTest, MoreWorkWhileAtWorkIsNoGap) {
  Wait(30 * kUs, 100);
  now_ns_ += 1'000 * kUs;
  for (int i = 0; i < 100; ++i) gap_.End(now_ns_);
  EXPECT_TRUE(gap_.is_short());
}

}  // namespace
}  // namespace workbench
