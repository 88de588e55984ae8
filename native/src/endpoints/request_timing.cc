// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/request_timing.h"

#include <cstdio>
#include <optional>

namespace workbench {
namespace {

struct Span {
  const char* name;
  const char* begin;
  const char* end;
};

// The terms of statistics, and the whole.
constexpr Span kSpans[] = {
    {"queue", "QUEUE_START", "COMPUTE_START"},
    {"compute_input", "COMPUTE_START", "COMPUTE_INPUT_END"},
    {"compute_infer", "COMPUTE_INPUT_END", "COMPUTE_OUTPUT_START"},
    {"compute_output", "COMPUTE_OUTPUT_START", "COMPUTE_END"},
    {"request", "REQUEST_START", "REQUEST_END"},
};

std::optional<uint64_t> Find(const std::vector<TracePoint>& points, std::string_view name) {
  for (const auto& [point, time_ns] : points) {
    if (point == name) return time_ns;
  }
  return std::nullopt;
}

}  // namespace

std::string TimingOf(const std::vector<TracePoint>& points) {
  std::string text;
  for (const Span& span : kSpans) {
    const auto begin = Find(points, span.begin), end = Find(points, span.end);
    if (!begin || !end || *end < *begin) continue;
    char duration[32];
    std::snprintf(duration, sizeof duration, "%.6f", static_cast<double>(*end - *begin) * 1e-6);
    text.append(text.empty() ? "" : ", ").append(span.name).append(";dur=").append(duration);
  }
  return text;
}

}  // namespace workbench
