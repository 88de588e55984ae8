// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/timer.h"

#include <gtest/gtest.h>

#include <future>

namespace workbench {
namespace {

TEST(TimerTest, CallsOnceTheDeadlineHasPassed) {
  auto timer = NewThreadTimer().value();
  std::promise<uint64_t> called_at;
  auto subscription = timer->Subscribe([&](uint64_t now_ns) {
    called_at.set_value(now_ns);
    return Timer::kNever;
  });
  const uint64_t deadline_ns = SteadyClock::Read() + 2'000'000;
  subscription->CallBy(deadline_ns);
  EXPECT_GE(called_at.get_future().get(), deadline_ns);
}

TEST(TimerTest, KeepsTheEarlierOfTwoDeadlines) {
  auto timer = NewThreadTimer().value();
  std::promise<void> called;
  auto subscription = timer->Subscribe([&](uint64_t) {
    called.set_value();
    return Timer::kNever;
  });
  subscription->CallBy(SteadyClock::Read() + 1'000'000);
  subscription->CallBy(SteadyClock::Read() + 3'600'000'000'000);
  called.get_future().get();
}

TEST(TimerTest, CallsAgainAtTheDeadlineThatTheSubscriberReturns) {
  auto timer = NewThreadTimer().value();
  std::promise<void> called_three_times;
  int calls = 0;
  auto subscription = timer->Subscribe([&](uint64_t now_ns) {
    if (++calls < 3) return now_ns + 100'000;
    called_three_times.set_value();
    return Timer::kNever;
  });
  subscription->CallBy(0);
  called_three_times.get_future().get();
}

TEST(TimerTest, NeverCallsASubscriberThatIsGone) {
  auto timer = NewThreadTimer().value();
  std::promise<void> entered;
  std::promise<void> leave;
  std::atomic<bool> is_inside{false};
  bool is_first = true;
  auto subscription = timer->Subscribe([&](uint64_t) -> uint64_t {
    is_inside = true;
    if (is_first) entered.set_value();
    if (is_first) leave.get_future().get();
    is_first = false;
    is_inside = false;
    return 0;  // at once again, were it still there
  });
  subscription->CallBy(0);
  entered.get_future().get();
  std::thread releaser([&] { leave.set_value(); });
  subscription.reset();
  EXPECT_FALSE(is_inside);
  releaser.join();
}

TEST(TimerTest, ACancelledSubscriptionOutlivesItsTimer) {
  auto timer = NewThreadTimer().value();
  auto subscription = timer->Subscribe([](uint64_t) { return Timer::kNever; });
  subscription->Cancel();
  timer.reset();
  subscription->CallBy(0);
}

}  // namespace
}  // namespace workbench
