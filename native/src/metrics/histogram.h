// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Histogram: how often values fell into each bucket. Shared by whoever observes and its family; any thread
// may call it.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "metrics/atomic_sum.h"
#include "metrics/metric_snapshot.h"

namespace workbench {

class Histogram {
 public:
  static constexpr MetricKind kKind = MetricKind::kHistogram;

  // INVALID_ARG where the bounds do not ascend.
  static Status Check(const std::vector<double>& upper_bounds);
  // REQUIRES: the bounds pass Check.
  Histogram(Labels labels, std::vector<double> upper_bounds);

  // Counts the value in the first bucket whose bound is not below it.
  void Observe(double value);
  const Labels& labels() const { return labels_; }
  MetricSnapshot Read() const;

 private:
  const Labels labels_;
  const std::vector<double> upper_bounds_;
  std::vector<std::atomic<uint64_t>> counts_;
  AtomicSum sum_;
};

}  // namespace workbench
