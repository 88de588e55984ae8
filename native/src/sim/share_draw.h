// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ShareDraw: draws 1, 2, ... with given shares. One owner, one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace workbench {

class ShareDraw {
 public:
  // No shares: always `otherwise`.
  ShareDraw(const std::vector<double>& shares, uint32_t otherwise, uint64_t seed)
      : otherwise_(otherwise), random_(seed) {
    double sum = 0;
    for (double share : shares) bounds_.push_back(sum += share);
    for (double& bound : bounds_) bound /= sum;
  }

  uint32_t Next() {
    if (bounds_.empty()) return otherwise_;
    const double drawn = random_.NextUnit();
    uint32_t index = 0;
    while (index + 1 < bounds_.size() && drawn > bounds_[index]) ++index;
    return index + 1;
  }

 private:
  const uint32_t otherwise_;
  std::vector<double> bounds_;
  Random random_;
};

}  // namespace workbench
