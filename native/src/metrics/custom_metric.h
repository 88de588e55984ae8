// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CustomFamily, CustomMetric: metrics that callers of the C interface make, of whichever kind. One registry
// for the process, since such a family names no server. Any thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "metrics/counter.h"
#include "metrics/gauge.h"
#include "metrics/histogram.h"
#include "metrics/registry.h"

namespace workbench {

Registry& CustomMetrics();

class CustomMetric;

// Deleted by its maker, after its metrics.
class CustomFamily {
 public:
  // INVALID_ARGUMENT where the name is no name for a metric, or stands for another kind of them.
  static Result<std::unique_ptr<CustomFamily>> Create(MetricKind kind, const std::string& name,
                                                      const std::string& help);

  MetricKind kind() const { return kind_; }
  // buckets: null unless the kind is a histogram.
  Result<std::unique_ptr<CustomMetric>> NewMetric(const Labels& labels, const std::vector<double>* buckets);
  // INTERNAL while there are metrics of it.
  Status CheckDeletable() const;

 private:
  friend class CustomMetric;
  using AnyKind = std::variant<Family<Counter>*, Family<Gauge>*, Family<Histogram>*>;
  CustomFamily(MetricKind kind, AnyKind family) : kind_(kind), family_(family) {}

  const MetricKind kind_;
  const AnyKind family_;
  std::atomic<size_t> metric_count_{0};
};

// Deleted by its maker, before its family.
class CustomMetric {
 public:
  ~CustomMetric() { family_.metric_count_.fetch_sub(1); }

  MetricKind kind() const { return family_.kind(); }
  // UNSUPPORTED where the kind cannot.
  Result<double> value() const;
  Status Increment(double by);
  Status Set(double value);
  Status Observe(double value);

 private:
  friend class CustomFamily;
  using AnyMetric =
      std::variant<std::shared_ptr<Counter>, std::shared_ptr<Gauge>, std::shared_ptr<Histogram>>;
  CustomMetric(CustomFamily& family, AnyMetric metric) : family_(family), metric_(std::move(metric)) {
    family_.metric_count_.fetch_add(1);
  }
  Status Cannot(const char* what) const;

  CustomFamily& family_;
  const AnyMetric metric_;  // shared with whoever asked for the same labels
};

}  // namespace workbench
