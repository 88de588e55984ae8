// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/histogram.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace workbench {

Status Histogram::Check(const std::vector<double>& upper_bounds) {
  const auto does_not_ascend = [](double first, double second) { return !(first < second); };
  const auto at = std::adjacent_find(upper_bounds.begin(), upper_bounds.end(), does_not_ascend);
  if (at == upper_bounds.end()) return OkStatus();
  return InvalidArgumentError("the buckets of a histogram must ascend: " + std::to_string(*at) +
                              " is followed by " + std::to_string(*(at + 1)));
}

Histogram::Histogram(Labels labels, std::vector<double> upper_bounds)
    : labels_(std::move(labels)), upper_bounds_(std::move(upper_bounds)), counts_(upper_bounds_.size() + 1) {}

void Histogram::Observe(double value) {
  const auto bound = std::lower_bound(upper_bounds_.begin(), upper_bounds_.end(), value);
  counts_[bound - upper_bounds_.begin()].fetch_add(1, std::memory_order_relaxed);
  sum_.Add(value);
}

MetricSnapshot Histogram::Read() const {
  MetricSnapshot snapshot{labels_, 0, {upper_bounds_, {}, sum_.value()}};
  for (const auto& count : counts_)
    snapshot.histogram.counts.push_back(count.load(std::memory_order_relaxed));
  return snapshot;
}

}  // namespace workbench
