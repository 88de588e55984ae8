// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ExpectedGap: whether a thread that ran out of work should look for more for a while, or sleep at once.
// Under load most gaps between two pieces of work are shorter than falling asleep and waking; a thread that
// waits longer than that sleeps, so that what is quiet costs nothing. Touched by the thread alone.
//
// How long a gap is depends on what the thread does in it: a client that is answered at once asks again at
// once, one that waits for a sleeper to wake falls asleep itself. So a thread that sleeps through gaps that
// are not much too long tries now and then how long they are when it polls.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/core_count.h"

namespace workbench {

class ExpectedGap {
 public:
  // Until a sleeping virtual core runs again.
  static constexpr uint64_t kWakeUpNs = 20'000;

  // poll_ns: how long to look for work: longer than a wake-up, short against a time slice.
  explicit ExpectedGap(uint64_t poll_ns)
      : poll_ns_(static_cast<double>(poll_ns)), longest_ns_(8 * poll_ns_), worth_trying_ns_(4 * poll_ns_) {}

  // There is nothing to do from now on, if there was until now.
  void Begin(uint64_t now_ns) {
    if (since_ns_ == 0) since_ns_ = now_ns;
  }
  // Work came.
  void End(uint64_t arrival_ns) {
    if (since_ns_ == 0) return;
    const double gap_ns = arrival_ns > since_ns_ ? static_cast<double>(arrival_ns - since_ns_) : 0;
    // Capped, so that one long pause does not keep the thread from polling once traffic is back.
    expected_ns_ += (std::min(gap_ns, longest_ns_) - expected_ns_) * kWeight;
    since_ns_ = 0;
    slept_count_ = expected_ns_ < poll_ns_ ? 0 : slept_count_ + 1;
    if (slept_count_ >= kTrialEvery && expected_ns_ < worth_trying_ns_) expected_ns_ = poll_ns_ / 2;
  }
  // Of the next gap, by the last ones. Where there is one core alone, who polls keeps others from working.
  bool is_short() const { return expected_ns_ < poll_ns_ && CoreCount() > 1; }

 private:
  static constexpr double kWeight = 1.0 / 8;
  static constexpr int kTrialEvery = 256;  // gaps; a trial of some 8 costs little beside them

  const double poll_ns_, longest_ns_, worth_trying_ns_;
  uint64_t since_ns_ = 0;   // 0: is at work
  double expected_ns_ = 0;  // moving average
  int slept_count_ = 0;     // gaps in a row
};

}  // namespace workbench
