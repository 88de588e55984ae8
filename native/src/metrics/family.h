// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Family: the metrics of one name, told apart by their labels. Owned by the registry; any thread may call it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "metrics/metric_snapshot.h"

namespace workbench {

class AnyFamily {
 public:
  virtual ~AnyFamily() = default;
  virtual MetricKind kind() const = 0;
  virtual FamilySnapshot Read() const = 0;
};

template <typename Metric>
class Family final : public AnyFamily {
 public:
  Family(std::string name, std::string help) : name_(std::move(name)), help_(std::move(help)) {}

  // The metric with these labels; made, from the further arguments, where there is none. All who ask for the
  // same labels share it, and it is shown until the last of them lets it go.
  template <typename... Arguments>
  std::shared_ptr<Metric> With(const Labels& labels, Arguments&&... arguments) EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    const auto is_let_go = [](const std::weak_ptr<Metric>& metric) { return metric.expired(); };
    metrics_.erase(std::remove_if(metrics_.begin(), metrics_.end(), is_let_go), metrics_.end());
    for (const auto& candidate : metrics_) {
      std::shared_ptr<Metric> metric = candidate.lock();
      if (metric != nullptr && metric->labels() == labels) return metric;
    }
    auto made = std::make_shared<Metric>(labels, std::forward<Arguments>(arguments)...);
    metrics_.push_back(made);
    return made;
  }

  MetricKind kind() const override { return Metric::kKind; }
  FamilySnapshot Read() const override EXCLUDES(mutex_) {
    FamilySnapshot snapshot{name_, help_, Metric::kKind, {}};
    MutexLock lock(&mutex_);
    for (const auto& candidate : metrics_) {
      if (const auto metric = candidate.lock()) snapshot.metrics.push_back(metric->Read());
    }
    return snapshot;
  }

 private:
  // Constant.
  const std::string name_;
  const std::string help_;

  // Guarded.
  mutable Mutex mutex_;
  std::vector<std::weak_ptr<Metric>> metrics_ GUARDED_BY(mutex_);
};

}  // namespace workbench
