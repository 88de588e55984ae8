// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/text_serializer.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace workbench {
namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

template <typename Number>
std::string Digits(Number value) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

std::string Text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  const bool is_integer = std::trunc(value) == value && std::fabs(value) < kExactIntegers;
  return is_integer ? Digits(static_cast<int64_t>(value)) : Digits(value);
}

// Line ends and backslashes are always escaped, quotes within a label's value only.
std::string Escaped(const std::string& text, bool is_quoted) {
  std::string escaped;
  for (const char character : text) {
    if (character == '\\' || (character == '"' && is_quoted)) escaped += '\\';
    if (character == '\n') {
      escaped += "\\n";
    } else {
      escaped += character;
    }
  }
  return escaped;
}

std::string Text(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += (text.empty() ? "{" : ",") + name + "=\"" + Escaped(value, true) + "\"";
  }
  return text.empty() ? text : text + "}";
}

void AddLine(std::string* out, const std::string& name, const Labels& labels, const std::string& value) {
  *out += name + Text(labels) + " " + value + "\n";
}

void AddHistogram(std::string* out, const std::string& name, const MetricSnapshot& metric) {
  const HistogramReading& reading = metric.histogram;
  uint64_t count = 0;
  for (size_t i = 0; i < reading.counts.size(); ++i) {
    count += reading.counts[i];
    const bool is_bounded = i < reading.upper_bounds.size();
    Labels labels = metric.labels;
    labels.emplace_back("le", is_bounded ? Text(reading.upper_bounds[i]) : "+Inf");
    AddLine(out, name + "_bucket", labels, Digits(count));
  }
  AddLine(out, name + "_sum", metric.labels, Text(reading.sum));
  AddLine(out, name + "_count", metric.labels, Digits(count));
}

void AddSummary(std::string* out, const std::string& name, const MetricSnapshot& metric) {
  const SummaryReading& reading = metric.summary;
  AddLine(out, name + "_count", metric.labels, Digits(reading.count));
  AddLine(out, name + "_sum", metric.labels, Text(reading.sum));
  for (const auto& [quantile, value] : reading.quantiles) {
    Labels labels = metric.labels;
    labels.emplace_back("quantile", Text(quantile));
    AddLine(out, name, labels, Text(value));
  }
}

void AddMetric(std::string* out, const FamilySnapshot& family, const MetricSnapshot& metric) {
  switch (family.kind) {
    case MetricKind::kHistogram:
      return AddHistogram(out, family.name, metric);
    case MetricKind::kSummary:
      return AddSummary(out, family.name, metric);
    case MetricKind::kCounter:
    case MetricKind::kGauge:
      return AddLine(out, family.name, metric.labels, Text(metric.value));
  }
}

}  // namespace

const char* KindName(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter:
      return "counter";
    case MetricKind::kGauge:
      return "gauge";
    case MetricKind::kHistogram:
      return "histogram";
    case MetricKind::kSummary:
      return "summary";
  }
  return "untyped";
}

std::string SerializeText(const std::vector<FamilySnapshot>& families) {
  std::string out;
  for (const FamilySnapshot& family : families) {
    out += "# HELP " + family.name + " " + Escaped(family.help, false) + "\n";
    out += "# TYPE " + family.name + " " + KindName(family.kind) + "\n";
    for (const MetricSnapshot& metric : family.metrics) AddMetric(&out, family, metric);
  }
  return out;
}

}  // namespace workbench
