// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Pacer: how a sender waits for its time. The real one sleeps, then spins; a test's moves a clock of its own.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/mutex.h"

namespace workbench {

class Pacer {
 public:
  virtual ~Pacer() = default;
  virtual uint64_t NowNs() const = 0;
  // Returns at time_ns, or with false as soon as the pacer was stopped. Several threads may wait at once.
  virtual bool WaitUntil(uint64_t time_ns) = 0;
  virtual void Stop() = 0;
};

// Sleeps until spin_ns before the time, then spins: a sleeper wakes some ten microseconds late, a spinner
// does not.
class SteadyPacer final : public Pacer {
 public:
  explicit SteadyPacer(uint64_t spin_ns) : spin_ns_(spin_ns) {}
  uint64_t NowNs() const override { return SteadyClock::Read(); }
  bool WaitUntil(uint64_t time_ns) override EXCLUDES(mutex_);
  void Stop() override EXCLUDES(mutex_);

 private:
  bool Sleep(uint64_t until_ns) EXCLUDES(mutex_);

  const uint64_t spin_ns_;
  std::atomic<bool> is_stopped_{false};
  Mutex mutex_;
  CondVar stopped_;
};

}  // namespace workbench
