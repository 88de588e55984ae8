// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Timer: one thread for all deadlines of an engine. Owned by the engine; any thread may call it.
//
// A caller registers a subscriber once, then moves its deadline as often as it likes. A later deadline never
// wakes the thread: it fires early, finds nothing due, and asks the subscriber again. So moving a deadline is
// cheap.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/worker.h"

namespace workbench {

class Timer {
 public:
  static constexpr uint64_t kNever = UINT64_MAX;
  // Called on the timer's thread, with no lock held, when the deadline has passed. Returns the next one, or
  // kNever.
  using OnDeadline = std::function<uint64_t(uint64_t now_ns)>;

  class Subscription {
   public:
    virtual ~Subscription() = default;  // Cancels.
    // Waits until a call under way has returned; none begins after that, and CallBy does nothing any more.
    // Must not run on the timer's thread. Afterwards the timer may go.
    virtual void Cancel() = 0;
    // Asks to be called at deadline_ns or earlier.
    virtual void CallBy(uint64_t deadline_ns) = 0;
  };

  virtual ~Timer() = default;
  virtual std::unique_ptr<Subscription> Subscribe(OnDeadline on_deadline) = 0;
};

// The real one: sleeps on the steady clock. UNAVAILABLE where no thread can be started.
Result<std::unique_ptr<Timer>> NewThreadTimer();

}  // namespace workbench
