// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// LoadRun: one run of a load generator, as its users see it. Any thread may call it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "load/recorder.h"
#include "load/target.h"

namespace workbench {

struct LoadOptions {
  // Open loop: when each request is to be sent, nanoseconds since the start, ascending. Empty: closed loop.
  std::vector<int64_t> schedule_ns;
  // Closed loop: how many requests are kept in flight, until the time or the number of requests is used up.
  uint32_t concurrency = 0;
  uint64_t duration_ns = 0;
  uint64_t request_limit = uint64_t{1} << 22;

  uint32_t sender_count = 1;
  // Open loop: a sender waits while so many are in flight. Latency still runs from the intended time.
  uint32_t max_in_flight = 1 << 16;
  uint64_t spin_ns = 40'000;
  // Held until the last request is answered, also after the run is gone: what requests borrow.
  std::shared_ptr<const void> borrowed;
  // Mean time between looks at the target; 0: no observer.
  uint64_t observe_every_ns = 1'000'000;
};

struct LoadProgress {
  uint64_t planned = 0;  // closed loop: 0
  uint64_t sent = 0;
  uint64_t answered = 0;
  uint64_t failed = 0;  // of those answered
  uint64_t elapsed_ns = 0;
  bool is_finished = false;
};

class LoadRun {
 public:
  // Stops, and waits for the senders but not for answers.
  virtual ~LoadRun() = default;
  // Sends nothing more, and cancels what is in flight. Returns at once.
  virtual void Stop() = 0;
  // Waits until every request is answered, or, once stopped, until nothing more is sent. False: not within
  // timeout_ns.
  virtual bool Wait(uint64_t timeout_ns) = 0;
  virtual LoadProgress progress() const = 0;
  // Time zero of the records, on the steady clock.
  virtual uint64_t start_ns() const = 0;
  virtual std::vector<LoadRecord> Records() const = 0;
  virtual std::vector<Observation> Observations() const = 0;
};

// Starts at once; UNAVAILABLE where no thread can be started, or no memory is left for the records.
Result<std::unique_ptr<LoadRun>> StartLoad(LoadOptions options, std::unique_ptr<Target> target);

}  // namespace workbench
