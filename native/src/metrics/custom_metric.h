// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CustomFamily, CustomMetric: metrics that callers of the C interface make, of whichever kind. One registry
// for the process, since such a family names no server. Any thread.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/mutex.h"
#include "metrics/counter.h"
#include "metrics/gauge.h"
#include "metrics/histogram.h"
#include "metrics/registry.h"

namespace workbench {

Registry& CustomMetrics();

class CustomMetric;

class CustomFamily {
 public:
  // INVALID_ARGUMENT where the name is no name for a metric, or stands for another kind of them.
  static Result<std::unique_ptr<CustomFamily>> Create(MetricKind kind, const std::string& name,
                                                      const std::string& help);
  // Metrics that are left tell nothing any more, and are deleted by those who have them.
  ~CustomFamily() EXCLUDES(mutex_);

  MetricKind kind() const { return kind_; }
  // buckets: null unless the kind is a histogram.
  Result<std::unique_ptr<CustomMetric>> NewMetric(const Labels& labels, const std::vector<double>* buckets)
      EXCLUDES(mutex_);

 private:
  friend class CustomMetric;
  using AnyKind = std::variant<Family<Counter>*, Family<Gauge>*, Family<Histogram>*>;
  CustomFamily(MetricKind kind, AnyKind family) : kind_(kind), family_(family) {}

  const MetricKind kind_;
  const AnyKind family_;
  Mutex mutex_;
  std::set<CustomMetric*> metrics_ GUARDED_BY(mutex_);
};

// Deleted by its maker, before its family or after.
class CustomMetric {
 public:
  ~CustomMetric();

  MetricKind kind() const { return kind_; }
  // UNSUPPORTED where the kind cannot; INTERNAL once the family is gone.
  Result<double> value() const;
  Status Increment(double by);
  Status Set(double value);
  Status Observe(double value);

 private:
  friend class CustomFamily;
  using AnyMetric =
      std::variant<std::shared_ptr<Counter>, std::shared_ptr<Gauge>, std::shared_ptr<Histogram>>;
  CustomMetric(CustomFamily* family, AnyMetric metric)
      : kind_(family->kind()), family_(family), metric_(std::move(metric)) {}
  Status CheckFamily() const;
  Status Cannot(const char* what) const;

  const MetricKind kind_;
  std::atomic<CustomFamily*> family_;  // null: deleted
  const AnyMetric metric_;             // shared with whoever asked for the same labels
};

}  // namespace workbench
