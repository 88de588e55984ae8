// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Gauge: a value that goes up and down. Shared by whoever sets it and its family; any thread may call it.
#pragma once

#include <utility>

#include "metrics/atomic_sum.h"
#include "metrics/metric_snapshot.h"

namespace workbench {

class Gauge {
 public:
  static constexpr MetricKind kKind = MetricKind::kGauge;

  explicit Gauge(Labels labels) : labels_(std::move(labels)) {}

  void Set(double value) { sum_.Set(value); }
  void Add(double value) { sum_.Add(value); }
  double value() const { return sum_.value(); }
  const Labels& labels() const { return labels_; }
  MetricSnapshot Read() const { return {labels_, value(), {}}; }

 private:
  const Labels labels_;
  AtomicSum sum_;
};

}  // namespace workbench
