// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Metrics that callers make themselves, and the page that tells of all.
#include <algorithm>

#include "capi/enum_number.h"
#include "capi/error.h"
#include "engine/engine.h"
#include "inference/parameter.h"
#include "metrics/custom_metric.h"

namespace workbench {
namespace {

CustomFamily& Unwrap(TRITONSERVER_MetricFamily* family) { return *FromHandle<CustomFamily>(family); }
CustomMetric& Unwrap(TRITONSERVER_Metric* metric) { return *FromHandle<CustomMetric>(metric); }

// What a histogram needs beside its labels.
struct MetricArguments {
  bool has_buckets = false;
  std::vector<double> buckets;
};

MetricArguments& Unwrap(TRITONSERVER_MetricArgs* arguments) {
  return *FromHandle<MetricArguments>(arguments);
}

struct MetricsText {
  std::string prometheus;
};

Result<Labels> LabelsOf(const TRITONSERVER_Parameter** parameters, uint64_t count) {
  Labels labels;
  for (uint64_t i = 0; i < count; ++i) {
    const Parameter& parameter = *FromHandle<const Parameter>(parameters[i]);
    if (parameter.type != ParameterType::kString)
      return InvalidArgumentError("the label '" + parameter.name + "' must be a string");
    labels.emplace_back(parameter.name, parameter.text);
  }
  std::sort(labels.begin(), labels.end());  // the same labels in another order are the same metric
  return labels;
}

Status NewMetric(TRITONSERVER_MetricFamily* family, const TRITONSERVER_Parameter** parameters, uint64_t count,
                 const TRITONSERVER_MetricArgs* handle, TRITONSERVER_Metric** metric) {
  ASSIGN_OR_RETURN(const Labels labels, LabelsOf(parameters, count));
  const auto* const arguments = FromHandle<const MetricArguments>(handle);
  if (arguments != nullptr && !arguments->has_buckets)
    return InvalidArgumentError(
        "the arguments tell of no kind of metric; see TRITONSERVER_MetricArgsSetHistogram");
  ASSIGN_OR_RETURN(auto made,
                   Unwrap(family).NewMetric(labels, arguments == nullptr ? nullptr : &arguments->buckets));
  *metric = ToHandle<TRITONSERVER_Metric>(made.release());
  return OkStatus();
}

Status Format(TRITONSERVER_Metrics* metrics, TRITONSERVER_MetricFormat format, const char** base,
              size_t* byte_size) {
  if (format != TRITONSERVER_METRIC_PROMETHEUS)
    return InvalidArgumentError("metrics have the format of Prometheus alone");
  const std::string& text = FromHandle<MetricsText>(metrics)->prometheus;
  *base = text.data();
  *byte_size = text.size();
  return OkStatus();
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_MetricFamilyNew(TRITONSERVER_MetricFamily** family,
                                                 const TRITONSERVER_MetricKind kind, const char* name,
                                                 const char* description) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckEnum("metric kind", kind, TRITONSERVER_METRIC_KIND_HISTOGRAM));
    ASSIGN_OR_RETURN(auto made, CustomFamily::Create(static_cast<MetricKind>(kind), name, description));
    *family = ToHandle<TRITONSERVER_MetricFamily>(made.release());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricFamilyDelete(TRITONSERVER_MetricFamily* family) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(Unwrap(family).CheckDeletable());
    delete &Unwrap(family);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_GetMetricFamilyKind(TRITONSERVER_MetricFamily* family,
                                                     TRITONSERVER_MetricKind* kind) {
  return Guard([&] {
    *kind = static_cast<TRITONSERVER_MetricKind>(Unwrap(family).kind());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricArgsNew(TRITONSERVER_MetricArgs** args) {
  return Guard([&] {
    *args = ToHandle<TRITONSERVER_MetricArgs>(new MetricArguments());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricArgsSetHistogram(TRITONSERVER_MetricArgs* args, const double* buckets,
                                                        const uint64_t buckets_count) {
  return Guard([&] {
    Unwrap(args) = {true, std::vector<double>(buckets, buckets + buckets_count)};
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricArgsDelete(TRITONSERVER_MetricArgs* args) {
  return Guard([&] {
    delete &Unwrap(args);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricNew(TRITONSERVER_Metric** metric, TRITONSERVER_MetricFamily* family,
                                           const TRITONSERVER_Parameter** labels,
                                           const uint64_t label_count) {
  return Guard([&] { return NewMetric(family, labels, label_count, nullptr, metric); });
}

TRITONSERVER_Error* TRITONSERVER_MetricNewWithArgs(TRITONSERVER_Metric** metric,
                                                   TRITONSERVER_MetricFamily* family,
                                                   const TRITONSERVER_Parameter** labels,
                                                   const uint64_t label_count,
                                                   const TRITONSERVER_MetricArgs* args) {
  return Guard([&] { return NewMetric(family, labels, label_count, args, metric); });
}

TRITONSERVER_Error* TRITONSERVER_MetricDelete(TRITONSERVER_Metric* metric) {
  return Guard([&] {
    delete &Unwrap(metric);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricValue(TRITONSERVER_Metric* metric, double* value) {
  return Guard([&] { return Assign(Unwrap(metric).value(), value); });
}

TRITONSERVER_Error* TRITONSERVER_MetricIncrement(TRITONSERVER_Metric* metric, double value) {
  return Guard([&] { return Unwrap(metric).Increment(value); });
}

TRITONSERVER_Error* TRITONSERVER_MetricSet(TRITONSERVER_Metric* metric, double value) {
  return Guard([&] { return Unwrap(metric).Set(value); });
}

TRITONSERVER_Error* TRITONSERVER_MetricObserve(TRITONSERVER_Metric* metric, double value) {
  return Guard([&] { return Unwrap(metric).Observe(value); });
}

TRITONSERVER_Error* TRITONSERVER_GetMetricKind(TRITONSERVER_Metric* metric, TRITONSERVER_MetricKind* kind) {
  return Guard([&] {
    *kind = static_cast<TRITONSERVER_MetricKind>(Unwrap(metric).kind());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerMetrics(TRITONSERVER_Server* server, TRITONSERVER_Metrics** metrics) {
  return Guard([&] {
    *metrics = ToHandle<TRITONSERVER_Metrics>(new MetricsText{FromHandle<Engine>(server)->MetricsPage()});
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricsDelete(TRITONSERVER_Metrics* metrics) {
  return Guard([&] {
    delete FromHandle<MetricsText>(metrics);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricsFormatted(TRITONSERVER_Metrics* metrics,
                                                  TRITONSERVER_MetricFormat format, const char** base,
                                                  size_t* byte_size) {
  return Guard([&] { return Format(metrics, format, base, byte_size); });
}

}  // extern "C"
