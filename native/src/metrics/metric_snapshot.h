// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MetricSnapshot, FamilySnapshot: what metrics read at one moment, as plain values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace workbench {

enum class MetricKind : uint8_t { kCounter, kGauge, kHistogram, kSummary };

// Name and value of each label, in the order in which they are shown.
using Labels = std::vector<std::pair<std::string, std::string>>;

struct HistogramReading {
  std::vector<double> upper_bounds;  // ascending; a last bucket without bound follows
  std::vector<uint64_t> counts;      // of each bucket alone; one more than there are bounds
  double sum = 0;
};

struct SummaryReading {
  std::vector<std::pair<double, double>> quantiles;  // which, and its value; NaN where nothing was observed
  uint64_t count = 0;
  double sum = 0;
};

struct MetricSnapshot {
  Labels labels;
  double value = 0;             // of a counter or a gauge
  HistogramReading histogram;   // of a histogram
  SummaryReading summary = {};  // of a summary
};

struct FamilySnapshot {
  std::string name;
  std::string help;
  MetricKind kind = MetricKind::kCounter;
  std::vector<MetricSnapshot> metrics;
};

}  // namespace workbench
