// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/observer.h"

#include <gtest/gtest.h>

#include "load/testing.h"

namespace workbench {
namespace {

class ObserverTest : public ::testing::Test {
 protected:
  std::vector<Observation> Look(int times) {
    Observer observer(1'000'000, pacer_, target_, state_);
    for (int i = 0; i < times; ++i) EXPECT_TRUE(observer.Step());
    return state_.recorder().Observations();
  }

  FakeClock clock_;
  FakePacer pacer_{clock_};
  InlineTarget target_{clock_};
  LoadState state_{std::make_unique<FakePacer>(clock_), 0, 1000, 1};
};

TEST_F(ObserverTest, TellsWhatTheTargetHolds) {
  target_.in_flight = 37;
  EXPECT_EQ(Look(1).at(0).in_flight, 37u);
}

TEST_F(ObserverTest, TellsHowLateItWoke) {
  pacer_.oversleep_ns = 200'000'000;
  EXPECT_EQ(Look(1).at(0).late_ns, 200'000'000u);
}

TEST_F(ObserverTest, LooksAtUnequalIntervalsOfTheRightMean) {
  const auto looks = Look(1000);
  EXPECT_NEAR(static_cast<double>(looks.back().at_ns) / 1000, 1e6, 3e4);
  EXPECT_NE(looks[1].at_ns - looks[0].at_ns, looks[2].at_ns - looks[1].at_ns);
}

TEST_F(ObserverTest, StopsOnceTheRunHasEnded) {
  state_.SenderEnded();
  EXPECT_FALSE(Observer(1'000'000, pacer_, target_, state_).Step());
}

}  // namespace
}  // namespace workbench
