// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedProcessor: instances that slow each other down. While k of them are active each goes at speed r(k),
// so all of them have done the same work since they were together: one counter of work tells when each ends.
// Whole numbers throughout, so that a simulation is the same on every machine. Pure; one owner, one thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace workbench {

class SharedProcessor {
 public:
  // In 1/4096 of a nanosecond at full speed.
  using Work = uint64_t;

  explicit SharedProcessor(const std::vector<double>& speeds) {
    for (double speed : speeds) speeds_.push_back(static_cast<uint64_t>(std::lround(speed * kUnit)));
    if (speeds_.empty()) speeds_.push_back(kUnit);
    speed_ = speeds_.front();
  }

  // So many are active from now on.
  void SetActive(size_t count, uint64_t now_ns) {
    done_ = DoneBy(now_ns);
    at_ns_ = now_ns;
    if (count > 0) speed_ = speeds_[std::min(count, speeds_.size()) - 1];
  }
  // What will be done once somebody who starts now has worked for so long at full speed.
  Work EndOf(uint64_t service_ns) const { return done_ + service_ns * kUnit; }
  // When that much is done, if nothing changes.
  uint64_t TimeOf(Work end) const {
    if (end <= done_) return at_ns_;
    return at_ns_ +
           (speed_ == kUnit ? (end - done_ + kUnit - 1) / kUnit : (end - done_ + speed_ - 1) / speed_);
  }
  Work DoneBy(uint64_t now_ns) const { return done_ + (now_ns - at_ns_) * speed_; }

 private:
  static constexpr uint64_t kUnit = 4096;

  std::vector<uint64_t> speeds_;
  uint64_t speed_ = kUnit;
  Work done_ = 0;
  uint64_t at_ns_ = 0;
};

}  // namespace workbench
