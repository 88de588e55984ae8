// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ResetBudget: how many of its calls a client may take back. Each costs it nothing and the server a request,
// so that more of them than any honest client has are an attack (CVE-2023-44487). Pure.
#pragma once

#include <algorithm>
#include <chrono>

namespace workbench {

class ResetBudget {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Takes one; false where none is left.
  bool Spend(TimePoint now) {
    const double passed_s = std::chrono::duration<double>(now - last_).count();
    if (last_ != TimePoint()) left_ = std::min(kMost, left_ + passed_s * kPerSecond);
    last_ = now;
    left_ -= 1;
    return left_ >= 0;
  }

 private:
  static constexpr double kMost = 1000, kPerSecond = 100;

  double left_ = kMost;
  TimePoint last_{};
};

}  // namespace workbench
