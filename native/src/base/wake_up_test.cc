// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/wake_up.h"

#include <gtest/gtest.h>

#include <thread>

namespace workbench {
namespace {

SchedulingAttributes OfThisThread() {
  SchedulingAttributes attributes{};
  EXPECT_TRUE(attributes.Get());
  return attributes;
}

TEST(WakeUpTest, AThreadAsksForShortSlicesAndKeepsPolicyAndNiceness) {
  std::thread([] {
    const SchedulingAttributes before = OfThisThread();
    WakePromptly();
    const SchedulingAttributes after = OfThisThread();
    EXPECT_EQ(after.policy, before.policy);
    EXPECT_EQ(after.nice, before.nice);
    // A kernel that does not know slices of one's own tells of none.
    if (before.runtime_ns != 0) EXPECT_EQ(after.runtime_ns, 100'000U);
  }).join();
}

TEST(WakeUpTest, AnotherThreadKeepsItsSlices) {
  const auto before = OfThisThread().runtime_ns;
  std::thread(WakePromptly).join();
  EXPECT_EQ(OfThisThread().runtime_ns, before);
}

TEST(WakeUpTest, AThreadUnderAnotherPolicyIsLeftAlone) {
  std::thread([] {
    const sched_param none{};
    ASSERT_EQ(sched_setscheduler(0, SCHED_BATCH, &none), 0);
    WakePromptly();
    EXPECT_EQ(sched_getscheduler(0), SCHED_BATCH);
  }).join();
}

TEST(WakeUpTest, TimedWaitsOfAThreadEndAtTheirTime) {
  std::thread([] {
    WakePromptly();
    EXPECT_EQ(prctl(PR_GET_TIMERSLACK), 1);
  }).join();
}

}  // namespace
}  // namespace workbench
