// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// PauseCost: how much longer an execution takes whose instance was idle before it: its caches are cold, its
// core slept. Whole numbers throughout, so that a simulation is the same on every machine. Pure, immutable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace workbench {

// Nanoseconds of a pause, and what the execution after it takes more.
using PausePoint = std::pair<uint64_t, uint64_t>;

class PauseCost {
 public:
  // REQUIRES: pauses rise. Straight between the points, level beyond them; no points: pauses cost nothing.
  explicit PauseCost(std::vector<PausePoint> points) : points_(std::move(points)) {}

  uint64_t After(uint64_t pause_ns) const {
    if (points_.empty() || pause_ns == 0) return 0;
    const auto above = std::upper_bound(points_.begin(), points_.end(), PausePoint(pause_ns, UINT64_MAX));
    if (above == points_.begin()) return above->second;
    const PausePoint& below = *(above - 1);
    if (above == points_.end()) return below.second;
    const auto rise = static_cast<int64_t>(above->second) - static_cast<int64_t>(below.second);
    const auto way = static_cast<int64_t>(pause_ns - below.first);
    const auto span = static_cast<int64_t>(above->first - below.first);
    return below.second + static_cast<uint64_t>(rise * way / span);
  }

 private:
  std::vector<PausePoint> points_;
};

}  // namespace workbench
