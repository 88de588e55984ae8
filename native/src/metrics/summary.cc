// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace workbench {
namespace {

// The smallest value that so large a share of all does not exceed. values: sorted.
double QuantileOf(const std::vector<double>& values, double quantile) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double rank = std::ceil(quantile * static_cast<double>(values.size()));
  const auto index = static_cast<size_t>(std::max(rank, 1.0)) - 1;
  return values[std::min(index, values.size() - 1)];
}

}  // namespace

void Summary::Observe(double value) {
  const uint64_t now_ns = clock_.NowNs();
  MutexLock lock(&mutex_);
  if (values_.size() < kValues) {
    values_.push_back({now_ns, value});
  } else {
    values_[count_ % kValues] = {now_ns, value};
  }
  ++count_;
  sum_ += value;
}

std::vector<double> Summary::Recent() const {
  const uint64_t now_ns = clock_.NowNs();
  std::vector<double> recent;
  for (const Value& value : values_) {
    if (now_ns - value.time_ns <= kAgeNs) recent.push_back(value.value);
  }
  std::sort(recent.begin(), recent.end());
  return recent;
}

MetricSnapshot Summary::Read() const {
  MetricSnapshot snapshot{labels_, 0, {}};
  MutexLock lock(&mutex_);
  const std::vector<double> recent = Recent();
  for (const double quantile : quantiles_)
    snapshot.summary.quantiles.emplace_back(quantile, QuantileOf(recent, quantile));
  snapshot.summary.count = count_;
  snapshot.summary.sum = sum_;
  return snapshot;
}

}  // namespace workbench
