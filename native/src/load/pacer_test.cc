// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/pacer.h"

#include <gtest/gtest.h>

#include <thread>

namespace workbench {
namespace {

constexpr uint64_t kHourNs = 3'600'000'000'000;

TEST(SteadyPacerTest, NeverReturnsBeforeTheTime) {
  SteadyPacer pacer(20'000);
  for (uint64_t wait_ns : {0, 1'000, 30'000, 300'000}) {
    const uint64_t time_ns = pacer.NowNs() + wait_ns;
    EXPECT_TRUE(pacer.WaitUntil(time_ns));
    EXPECT_GE(pacer.NowNs(), time_ns);
  }
}

TEST(SteadyPacerTest, StopEndsASleepAtOnce) {
  SteadyPacer pacer(20'000);
  std::thread stopper([&] { pacer.Stop(); });
  EXPECT_FALSE(pacer.WaitUntil(pacer.NowNs() + kHourNs));
  stopper.join();
}

TEST(SteadyPacerTest, StopEndsASpin) {
  SteadyPacer pacer(2 * kHourNs);
  std::thread stopper([&] { pacer.Stop(); });
  EXPECT_FALSE(pacer.WaitUntil(pacer.NowNs() + kHourNs));
  stopper.join();
}

TEST(SteadyPacerTest, OnceStoppedItWaitsForNothing) {
  SteadyPacer pacer(0);
  pacer.Stop();
  EXPECT_FALSE(pacer.WaitUntil(0));
}

}  // namespace
}  // namespace workbench
