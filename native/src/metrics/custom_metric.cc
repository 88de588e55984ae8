// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/custom_metric.h"

#include "metrics/text_serializer.h"

namespace workbench {
namespace {

Status CheckBuckets(MetricKind kind, const std::vector<double>* buckets) {
  const bool is_histogram = kind == MetricKind::kHistogram;
  if (is_histogram && buckets == nullptr)
    return InvalidArgumentError("a histogram needs arguments that tell the bounds of its buckets");
  if (!is_histogram && buckets != nullptr)
    return InvalidArgumentError(std::string("a ") + KindName(kind) + " takes no arguments");
  return is_histogram ? Histogram::Check(*buckets) : OkStatus();
}

}  // namespace

// Never destroyed: metrics may outlive static destruction.
Registry& CustomMetrics() {
  static Registry* const registry = new Registry();
  return *registry;
}

Result<std::unique_ptr<CustomFamily>> CustomFamily::Create(MetricKind kind, const std::string& name,
                                                           const std::string& help) {
  auto make = [&](auto added) -> Result<std::unique_ptr<CustomFamily>> {
    if (!added.ok()) return InvalidArgumentError(added.status().message());
    return std::unique_ptr<CustomFamily>(new CustomFamily(kind, *added));
  };
  switch (kind) {
    case MetricKind::kCounter:
      return make(CustomMetrics().Add<Counter>(name, help));
    case MetricKind::kGauge:
      return make(CustomMetrics().Add<Gauge>(name, help));
    case MetricKind::kHistogram:
      return make(CustomMetrics().Add<Histogram>(name, help));
    case MetricKind::kSummary:
      break;
  }
  return InvalidArgumentError("there is no such kind of metric for '" + name + "'");
}

Status CustomFamily::CheckDeletable() const {
  if (metric_count_.load() == 0) return OkStatus();
  return InternalError("the family has " + std::to_string(metric_count_.load()) +
                       " metrics still: delete those before it");
}

Result<std::unique_ptr<CustomMetric>> CustomFamily::NewMetric(const Labels& labels,
                                                              const std::vector<double>* buckets) {
  RETURN_IF_ERROR(CheckBuckets(kind_, buckets));
  CustomMetric::AnyMetric made;
  if (auto* const counters = std::get_if<Family<Counter>*>(&family_)) made = (*counters)->With(labels);
  if (auto* const gauges = std::get_if<Family<Gauge>*>(&family_)) made = (*gauges)->With(labels);
  if (auto* const histograms = std::get_if<Family<Histogram>*>(&family_))
    made = (*histograms)->With(labels, *buckets);
  return std::unique_ptr<CustomMetric>(new CustomMetric(*this, std::move(made)));
}

Status CustomMetric::Cannot(const char* what) const {
  return UnsupportedError(std::string("a ") + KindName(kind()) + " has no '" + what + "'");
}

Result<double> CustomMetric::value() const {
  if (const auto* const counter = std::get_if<std::shared_ptr<Counter>>(&metric_)) return (*counter)->value();
  if (const auto* const gauge = std::get_if<std::shared_ptr<Gauge>>(&metric_)) return (*gauge)->value();
  return Cannot("value");
}

Status CustomMetric::Increment(double by) {
  if (const auto* const counter = std::get_if<std::shared_ptr<Counter>>(&metric_))
    return (*counter)->Increment(by);
  const auto* const gauge = std::get_if<std::shared_ptr<Gauge>>(&metric_);
  if (gauge == nullptr) return Cannot("increment");
  (*gauge)->Add(by);
  return OkStatus();
}

Status CustomMetric::Set(double value) {
  const auto* const gauge = std::get_if<std::shared_ptr<Gauge>>(&metric_);
  if (gauge == nullptr) return Cannot("set");
  (*gauge)->Set(value);
  return OkStatus();
}

Status CustomMetric::Observe(double value) {
  const auto* const histogram = std::get_if<std::shared_ptr<Histogram>>(&metric_);
  if (histogram == nullptr) return Cannot("observe");
  (*histogram)->Observe(value);
  return OkStatus();
}

}  // namespace workbench
