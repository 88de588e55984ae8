// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Summary: quantiles of the values of the last minute, of the latest of them where there were very many.
// Shared by whoever observes and its family; any thread may call it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "metrics/metric_snapshot.h"

namespace workbench {

class Summary {
 public:
  static constexpr MetricKind kKind = MetricKind::kSummary;
  static constexpr uint64_t kAgeNs = 60'000'000'000;
  static constexpr size_t kValues = 4096;

  // Borrows the clock. quantiles: between 0 and 1.
  Summary(Labels labels, std::vector<double> quantiles, const Clock& clock)
      : labels_(std::move(labels)), quantiles_(std::move(quantiles)), clock_(clock) {}

  void Observe(double value) EXCLUDES(mutex_);
  const Labels& labels() const { return labels_; }
  MetricSnapshot Read() const EXCLUDES(mutex_);

 private:
  struct Value {
    uint64_t time_ns;
    double value;
  };
  std::vector<double> Recent() const REQUIRES(mutex_);

  // Constant.
  const Labels labels_;
  const std::vector<double> quantiles_;
  const Clock& clock_;

  mutable Mutex mutex_;
  std::vector<Value> values_ GUARDED_BY(mutex_);  // a ring, once it has kValues
  uint64_t count_ GUARDED_BY(mutex_) = 0;         // of all that was ever observed
  double sum_ GUARDED_BY(mutex_) = 0;
};

}  // namespace workbench
