// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// FakeClock: time that moves only when a test says so.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace workbench {

class FakeClock final : public Clock {
 public:
  explicit FakeClock(uint64_t now_ns = 1'000'000'000) : now_ns_(now_ns) {}
  uint64_t NowNs() const override { return now_ns_.load(); }
  void Advance(uint64_t by_ns) { now_ns_ += by_ns; }

 private:
  std::atomic<uint64_t> now_ns_;
};

}  // namespace workbench
