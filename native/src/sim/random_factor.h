// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RandomFactor: draws one of equally likely factors. One owner, one thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace workbench {

class RandomFactor {
 public:
  RandomFactor(std::vector<double> factors, uint64_t seed) : factors_(std::move(factors)), random_(seed) {}

  uint64_t Scale(uint64_t time_ns) {
    if (factors_.empty()) return time_ns;
    const double factor = factors_[random_.Next() % factors_.size()];
    return static_cast<uint64_t>(std::llround(static_cast<double>(time_ns) * factor));
  }

 private:
  std::vector<double> factors_;
  Random random_;
};

}  // namespace workbench
