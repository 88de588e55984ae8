// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Clock: where time comes from, so that tests and the simulator can hold it in hand.
#pragma once

#include <chrono>
#include <cstdint>

namespace workbench {

class Clock {
 public:
  virtual ~Clock() = default;
  // Nanoseconds of a monotonic clock; comparable with timestamps that backends report.
  virtual uint64_t NowNs() const = 0;
};

class SteadyClock final : public Clock {
 public:
  uint64_t NowNs() const override { return Read(); }
  static uint64_t Read() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

}  // namespace workbench
