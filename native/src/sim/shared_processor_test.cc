// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/shared_processor.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

TEST(SharedProcessorTest, AloneWorkTakesItsOwnTime) {
  SharedProcessor processor({1.0, 0.5});
  processor.SetActive(1, 100);
  EXPECT_EQ(processor.TimeOf(processor.EndOf(1'000)), 1'100u);
}

TEST(SharedProcessorTest, TwoAtHalfSpeedTakeTwiceAsLong) {
  SharedProcessor processor({1.0, 0.5});
  processor.SetActive(2, 0);
  EXPECT_EQ(processor.TimeOf(processor.EndOf(1'000)), 2'000u);
}

TEST(SharedProcessorTest, WhatIsDoneStaysDoneWhenAnotherComes) {
  SharedProcessor processor({1.0, 0.5});
  processor.SetActive(1, 0);
  const SharedProcessor::Work first = processor.EndOf(1'000);
  processor.SetActive(2, 600);  // 400 are left, at half the speed
  EXPECT_EQ(processor.TimeOf(first), 1'400u);
  const SharedProcessor::Work second = processor.EndOf(1'000);
  processor.SetActive(1, 1'400);
  EXPECT_EQ(processor.TimeOf(second), 2'000u);
}

TEST(SharedProcessorTest, TheLastSpeedHoldsForMore) {
  SharedProcessor processor({1.0, 0.25});
  processor.SetActive(7, 0);
  EXPECT_EQ(processor.TimeOf(processor.EndOf(100)), 400u);
}

TEST(SharedProcessorTest, NoEndIsEarlierThanItsWork) {
  SharedProcessor processor({0.7});
  processor.SetActive(1, 0);
  for (uint64_t service_ns = 1; service_ns < 3'000; ++service_ns) {
    const SharedProcessor::Work end = processor.EndOf(service_ns);
    const uint64_t at_ns = processor.TimeOf(end);
    ASSERT_GE(processor.DoneBy(at_ns), end);
    ASSERT_LT(processor.DoneBy(at_ns - 1), end);
  }
}

}  // namespace
}  // namespace workbench
