// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Counter: a value that only grows. Shared by whoever counts and its family; any thread may call it.
#pragma once

#include <string>
#include <utility>

#include "base/status.h"
#include "metrics/atomic_sum.h"
#include "metrics/metric_snapshot.h"

namespace workbench {

class Counter {
 public:
  static constexpr MetricKind kKind = MetricKind::kCounter;

  explicit Counter(Labels labels) : labels_(std::move(labels)) {}

  // INVALID_ARG for a negative number, and the counter stays as it is.
  Status Increment(double by = 1) {
    if (!(by >= 0)) return InvalidArgumentError("a counter cannot grow by " + std::to_string(by));
    sum_.Add(by);
    return OkStatus();
  }
  double value() const { return sum_.value(); }
  const Labels& labels() const { return labels_; }
  MetricSnapshot Read() const { return {labels_, value(), {}}; }

 private:
  const Labels labels_;
  AtomicSum sum_;
};

}  // namespace workbench
