// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_latencies.h"

namespace workbench {
namespace {

constexpr const char* kNames[] = {"nv_inference_request_summary_us", "nv_inference_queue_summary_us",
                                  "nv_inference_compute_input_summary_us",
                                  "nv_inference_compute_infer_summary_us",
                                  "nv_inference_compute_output_summary_us"};

double Microseconds(uint64_t from_ns, uint64_t to_ns) {
  const uint64_t whole = to_ns > from_ns ? (to_ns - from_ns) / 1000 : 0;
  return static_cast<double>(whole);
}

}  // namespace

std::unique_ptr<ModelLatencies> ModelLatencies::Create(const LatencyOptions& options, const Labels& labels,
                                                       const Clock& clock) {
  if (!options.has_summaries && !options.has_first_response) return nullptr;
  std::unique_ptr<ModelLatencies> latencies(new ModelLatencies());
  for (const char* name : kNames) {
    if (!options.has_summaries) break;
    // NOLINTNEXTLINE(modernize-make-unique): an aggregate, which make_unique can not make in C++17
    latencies->parts_.push_back(std::unique_ptr<Part>(new Part{name, {labels, options.quantiles, clock}}));
  }
  if (options.has_first_response)
    latencies->first_response_ = std::make_unique<Histogram>(labels, options.first_response_buckets_ms);
  return latencies;
}

void ModelLatencies::Observe(uint64_t arrival_ns, const ExecutionTimes& times) {
  if (parts_.empty()) return;
  parts_[0]->summary.Observe(Microseconds(arrival_ns, times.end_ns));
  parts_[1]->summary.Observe(Microseconds(arrival_ns, times.start_ns));
  parts_[2]->summary.Observe(Microseconds(times.start_ns, times.compute_start_ns));
  parts_[3]->summary.Observe(Microseconds(times.compute_start_ns, times.compute_end_ns));
  parts_[4]->summary.Observe(Microseconds(times.compute_end_ns, times.end_ns));
}

void ModelLatencies::ObserveFirstResponse(uint64_t arrival_ns, uint64_t now_ns) {
  if (first_response_) first_response_->Observe(static_cast<double>(now_ns - arrival_ns) / 1e6);
}

}  // namespace workbench
