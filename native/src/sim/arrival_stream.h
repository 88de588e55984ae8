// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ArrivalStream: when the next simulated request comes: at given times, with exponential gaps, or once
// another one was answered (closed loop). One owner, one thread.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/status.h"

namespace workbench {

// Exactly one of schedule_ns, rate and concurrency is set.
struct TrafficOptions {
  const int64_t* schedule_ns = nullptr;  // borrowed, ascending, since the start
  size_t schedule_length = 0;
  double rate = 0;           // of exponential gaps, requests per second
  uint32_t concurrency = 0;  // requests in flight
  uint64_t requests = 0;     // in all, unless a schedule says so
  uint64_t seed = 1;
};

inline Status Check(const TrafficOptions& options) {
  const bool has_rate = options.rate > 0 && std::isfinite(options.rate);
  if ((options.schedule_length > 0) + has_rate + (options.concurrency > 0) != 1) {
    return InvalidArgumentError("simulated traffic has either a schedule, a positive rate or a concurrency");
  }
  if (options.schedule_length == 0 && options.requests == 0) {
    return InvalidArgumentError("a simulation needs a number of requests");
  }
  for (size_t i = 0; i < options.schedule_length; ++i) {
    if (options.schedule_ns[i] < (i == 0 ? 0 : options.schedule_ns[i - 1])) {
      return InvalidArgumentError("the times of a schedule must be ascending, and none of them negative");
    }
  }
  return OkStatus();
}

class ArrivalStream {
 public:
  static constexpr uint64_t kNever = UINT64_MAX;

  ArrivalStream(const TrafficOptions& options, uint64_t start_ns)
      : options_(options),
        start_ns_(start_ns),
        gap_ns_(options.rate > 0 ? 1e9 / options.rate : 0),
        left_(options.schedule_length > 0 ? options.schedule_length : options.requests),
        random_(options.seed),
        returns_ns_(options.concurrency, start_ns) {
    Draw();
  }

  // Of the next request; kNever: none comes, or none before another is answered.
  uint64_t next_ns() const { return next_ns_; }
  void Pop() {
    ++taken_;
    --left_;
    Draw();
  }
  // Closed loop: whoever waited for an answer asks again. Times never go back.
  void Return(uint64_t at_ns) {
    if (options_.concurrency == 0) return;
    returns_ns_[returned_++ % returns_ns_.size()] = at_ns;
    if (next_ns_ == kNever) Draw();
  }

 private:
  void Draw() { next_ns_ = left_ == 0 ? kNever : NextTime(); }
  uint64_t NextTime() {
    if (options_.schedule_length > 0) {
      return start_ns_ + static_cast<uint64_t>(options_.schedule_ns[taken_]);
    }
    if (options_.concurrency > 0) {
      // The ring begins full: everybody asks at the start.
      return taken_ < returned_ + options_.concurrency ? returns_ns_[taken_ % returns_ns_.size()] : kNever;
    }
    at_ns_ -= gap_ns_ * std::log(random_.NextUnit());
    // Never negative; lround would be a call for each request.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    return start_ns_ + static_cast<uint64_t>(at_ns_ + 0.5);
  }

  const TrafficOptions options_;
  const uint64_t start_ns_;
  const double gap_ns_;
  uint64_t left_;
  uint64_t taken_ = 0;
  uint64_t returned_ = 0;
  double at_ns_ = 0;
  Random random_;
  std::vector<uint64_t> returns_ns_;  // closed loop: when each of those who wait asks again
  uint64_t next_ns_ = kNever;
};

}  // namespace workbench
