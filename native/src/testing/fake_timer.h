// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// FakeTimer: deadlines that pass only when a test says so. Single-threaded.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/timer.h"
#include "testing/fake_clock.h"

namespace workbench {

class FakeTimer final : public Timer {
 public:
  explicit FakeTimer(FakeClock& clock) : clock_(clock) {}

  std::unique_ptr<Subscription> Subscribe(OnDeadline on_deadline) override {
    auto subscription = std::make_unique<FakeSubscription>(this, std::move(on_deadline));
    subscriptions_.push_back(subscription.get());
    return subscription;
  }

  // Moves the clock, stopping at each deadline on the way to call its subscriber.
  void Advance(uint64_t by_ns) {
    const uint64_t end_ns = clock_.NowNs() + by_ns;
    for (FakeSubscription* first = First(); first != nullptr && first->due_ns <= end_ns; first = First()) {
      if (first->due_ns > clock_.NowNs()) clock_.Advance(first->due_ns - clock_.NowNs());
      first->due_ns = kNever;
      first->due_ns = std::min(first->due_ns, first->on_deadline(clock_.NowNs()));
    }
    clock_.Advance(end_ns - clock_.NowNs());
  }

 private:
  struct FakeSubscription final : Subscription {
    FakeSubscription(FakeTimer* owner, OnDeadline callback)
        : timer(owner), on_deadline(std::move(callback)) {}
    ~FakeSubscription() override { Cancel(); }
    void Cancel() override {
      auto& all = timer->subscriptions_;
      all.erase(std::remove(all.begin(), all.end(), this), all.end());
    }
    void CallBy(uint64_t deadline_ns) override { due_ns = std::min(due_ns, deadline_ns); }

    FakeTimer* const timer;
    const OnDeadline on_deadline;
    uint64_t due_ns = kNever;
  };

  FakeSubscription* First() {
    FakeSubscription* first = nullptr;
    for (FakeSubscription* each : subscriptions_) {
      if (each->due_ns != kNever && (first == nullptr || each->due_ns < first->due_ns)) first = each;
    }
    return first;
  }

  FakeClock& clock_;
  std::vector<FakeSubscription*> subscriptions_;
};

}  // namespace workbench
