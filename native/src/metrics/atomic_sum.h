// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// AtomicSum: a floating-point sum that many threads add to.
#pragma once

#include <atomic>

namespace workbench {

class AtomicSum {
 public:
  void Add(double value) {
    double sum = sum_.load(std::memory_order_relaxed);
    while (!sum_.compare_exchange_weak(sum, sum + value, std::memory_order_relaxed)) {
    }
  }
  void Set(double value) { sum_.store(value, std::memory_order_relaxed); }
  double value() const { return sum_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> sum_{0};
};

}  // namespace workbench
