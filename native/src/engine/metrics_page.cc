// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics_page.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace workbench {
namespace {

using Duration = StatisticsSnapshot::Duration;

// A model and what it counted, read once.
struct Reading {
  const Model* model;
  Labels labels;
  StatisticsSnapshot counts;
};

double Microseconds(const Duration& duration) {
  const uint64_t whole = duration.ns / 1000;
  return static_cast<double>(whole);
}

FamilySnapshot NewFamily(const char* name, const char* help, MetricKind kind) {
  return {name, help, kind, {}};
}

using Value = std::function<double(const Reading&)>;

FamilySnapshot Collect(FamilySnapshot family, const std::vector<Reading>& readings, const Value& value) {
  for (const Reading& reading : readings) family.metrics.push_back({reading.labels, value(reading), {}});
  return family;
}

std::vector<FamilySnapshot> Counts(const std::vector<Reading>& readings) {
  auto counter = [&](const char* name, const char* help, const Value& value) {
    return Collect(NewFamily(name, help, MetricKind::kCounter), readings, value);
  };
  return {
      counter("nv_inference_request_success", "Requests that were answered with success",
              [](const Reading& r) { return r.counts.success.count; }),
      counter("nv_inference_count", "Inferences that were computed: a batch of eight is eight",
              [](const Reading& r) { return r.counts.inference_count; }),
      counter("nv_inference_exec_count", "Executions of the model, each of one batch",
              [](const Reading& r) { return r.counts.execution_count; }),
  };
}

FamilySnapshot Failures(const std::vector<Reading>& readings) {
  FamilySnapshot family =
      NewFamily("nv_inference_request_failure", "Requests that failed, by reason", MetricKind::kCounter);
  for (const Reading& reading : readings) {
    size_t reason = 0;
    for (const char* name : {"REJECTED", "CANCELED", "BACKEND", "OTHER"}) {
      Labels labels = reading.labels;
      labels.emplace_back("reason", name);
      family.metrics.push_back(
          {std::move(labels), static_cast<double>(reading.counts.failures[reason++]), {}});
    }
  }
  return family;
}

std::vector<FamilySnapshot> Durations(const std::vector<Reading>& readings) {
  auto counter = [&](const char* name, const char* help, Duration StatisticsSnapshot::*duration) {
    return Collect(NewFamily(name, help, MetricKind::kCounter), readings,
                   [duration](const Reading& r) { return Microseconds(r.counts.*duration); });
  };
  return {
      counter("nv_inference_request_duration_us", "Microseconds of whole requests, summed",
              &StatisticsSnapshot::success),
      counter("nv_inference_queue_duration_us", "Microseconds that requests waited, summed",
              &StatisticsSnapshot::queue),
      counter("nv_inference_compute_input_duration_us", "Microseconds of preparing inputs, summed",
              &StatisticsSnapshot::compute_input),
      counter("nv_inference_compute_infer_duration_us", "Microseconds of inference proper, summed",
              &StatisticsSnapshot::compute_infer),
      counter("nv_inference_compute_output_duration_us", "Microseconds of writing outputs, summed",
              &StatisticsSnapshot::compute_output),
  };
}

std::vector<FamilySnapshot> CacheCounts(const std::vector<Reading>& readings) {
  std::vector<Reading> cached;
  for (const Reading& reading : readings) {
    if (reading.model->is_cached()) cached.push_back(reading);
  }
  auto counter = [&](const char* name, const char* help, const Value& value) {
    return Collect(NewFamily(name, help, MetricKind::kCounter), cached, value);
  };
  return {
      counter("nv_cache_num_hits_per_model", "Requests answered out of the response cache",
              [](const Reading& r) { return r.counts.cache_hit.count; }),
      counter("nv_cache_num_misses_per_model", "Requests that the response cache did not know",
              [](const Reading& r) { return r.counts.cache_miss.count; }),
      counter("nv_cache_hit_duration_per_model", "Microseconds of finding answers in the cache, summed",
              [](const Reading& r) { return Microseconds(r.counts.cache_hit); }),
      counter("nv_cache_miss_duration_per_model",
              "Microseconds of looking in vain and of keeping answers, summed",
              [](const Reading& r) { return Microseconds(r.counts.cache_miss); }),
  };
}

std::vector<FamilySnapshot> Gauges(const std::vector<Reading>& readings) {
  auto gauge = [&](const char* name, const char* help, const Value& value) {
    return Collect(NewFamily(name, help, MetricKind::kGauge), readings, value);
  };
  return {
      gauge("nv_inference_pending_request_count", "Requests that wait for execution now",
            [](const Reading& r) { return r.model->queue_length(); }),
      gauge("nv_model_load_duration_secs", "Seconds that the model took to load",
            [](const Reading& r) { return static_cast<double>(r.model->load_ns()) / 1e9; }),
  };
}

// Of models whose queues tell priorities apart; the original has no such metric.
FamilySnapshot PendingByPriority(const std::vector<Reading>& readings) {
  FamilySnapshot family =
      NewFamily("workbench_pending_request_count_per_priority",
                "Requests that wait for execution now, by priority level", MetricKind::kGauge);
  for (const Reading& reading : readings) {
    for (const QueueLevel& level : reading.model->queue_levels()) {
      Labels labels = reading.labels;
      labels.emplace_back("priority", std::to_string(level.level));
      family.metrics.push_back({std::move(labels), static_cast<double>(level.length), {}});
    }
  }
  return family;
}

// The parts are the same for each model.
std::vector<FamilySnapshot> Summaries(const std::vector<Reading>& readings) {
  std::vector<FamilySnapshot> families;
  for (const Reading& reading : readings) {
    const ModelLatencies* const latencies = reading.model->latencies();
    if (latencies == nullptr) continue;
    for (size_t i = 0; i < latencies->parts().size(); ++i) {
      const ModelLatencies::Part& part = *latencies->parts()[i];
      if (families.size() <= i)
        families.push_back(
            NewFamily(part.name, "Quantiles over the last minute, microseconds", MetricKind::kSummary));
      families[i].metrics.push_back(part.summary.Read());
    }
  }
  return families;
}

FamilySnapshot FirstResponses(const std::vector<Reading>& readings) {
  FamilySnapshot family = NewFamily("nv_inference_first_response_histogram_ms",
                                    "Milliseconds until the first response", MetricKind::kHistogram);
  for (const Reading& reading : readings) {
    const ModelLatencies* const latencies = reading.model->latencies();
    if (latencies != nullptr && latencies->first_response() != nullptr)
      family.metrics.push_back(latencies->first_response()->Read());
  }
  return family;
}

void Append(std::vector<FamilySnapshot> more, std::vector<FamilySnapshot>* families) {
  for (FamilySnapshot& family : more) {
    if (!family.metrics.empty()) families->push_back(std::move(family));
  }
}

}  // namespace

std::vector<FamilySnapshot> ModelFamilies(const std::vector<Model::Ref>& models,
                                          const MetricsOptions& options) {
  std::vector<Reading> readings;
  readings.reserve(models.size());
  for (const Model::Ref& model : models)
    readings.push_back({model.get(), model->metric_labels(), model->statistics()});
  std::vector<FamilySnapshot> families;
  Append(Counts(readings), &families);
  Append({Failures(readings)}, &families);
  if (options.has_counter_latencies) {
    Append(Durations(readings), &families);
    Append(CacheCounts(readings), &families);
  }
  Append(Gauges(readings), &families);
  Append({PendingByPriority(readings)}, &families);
  Append(Summaries(readings), &families);
  Append({FirstResponses(readings)}, &families);
  return families;
}

void Merge(std::vector<FamilySnapshot> more, std::vector<FamilySnapshot>* families) {
  for (FamilySnapshot& family : more) {
    const auto is_same = [&](const FamilySnapshot& other) {
      return other.name == family.name && other.kind == family.kind;
    };
    const auto same = std::find_if(families->begin(), families->end(), is_same);
    if (same == families->end()) {
      families->push_back(std::move(family));
    } else {
      same->metrics.insert(same->metrics.end(), family.metrics.begin(), family.metrics.end());
    }
  }
}

// Without a GPU no memory is page-locked: the host's pool takes its place.
std::vector<FamilySnapshot> PoolFamilies(const std::vector<PoolStatus>& pools) {
  if (pools.empty()) return {};
  const auto is_pinned = [](const PoolStatus& pool) { return pool.place.type == MemoryType::kCpuPinned; };
  const auto pinned = std::find_if(pools.begin(), pools.end(), is_pinned);
  const PoolStatus& pool = pinned != pools.end() ? *pinned : pools.front();
  FamilySnapshot total = NewFamily("nv_pinned_memory_pool_total_bytes", "Bytes that the pool may have in all",
                                   MetricKind::kGauge);
  total.metrics.push_back({{}, static_cast<double>(pool.limit_byte_size), {}});
  FamilySnapshot used =
      NewFamily("nv_pinned_memory_pool_used_bytes", "Bytes of the pool that are in use", MetricKind::kGauge);
  used.metrics.push_back({{}, static_cast<double>(pool.live_byte_size), {}});
  return {std::move(total), std::move(used)};
}

}  // namespace workbench
