// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation_tally.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace workbench {
namespace {

double Mean(uint64_t sum, uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

// At least 1, so that what divides by it needs no second thought.
double Span(uint64_t begin_ns, uint64_t end_ns) {
  return end_ns > begin_ns ? static_cast<double>(end_ns - begin_ns) : 1;
}

}  // namespace

SimulationTally::SimulationTally(const Options& options)
    : options_(options), batches_((size_t{options.max_batch_size} + 1) * kReasons, 0) {}

void SimulationTally::OnArrival(const SimulatedRequest& request) {
  if (request.number >= options_.warmup_requests) begin_ns_ = std::min(begin_ns_, request.arrival_ns);
  if (!options_.keeps_records) return;
  records_.emplace_back();
  records_.back().arrival_ns = static_cast<int64_t>(request.arrival_ns);
  records_.back().status = 3;
}

void SimulationTally::OnExecuted(const Execution& execution, uint64_t end_ns) {
  const SimulatedRequest* request = execution.first;
  uint64_t counted = 0;
  for (uint32_t i = 0; i < execution.count; ++i) {
    const uint64_t latency_ns = end_ns - request->arrival_ns + options_.overhead_ns;
    if (request->number >= options_.warmup_requests) {
      latency_.Add(latency_ns);
      queue_ns_ += execution.start_ns - request->arrival_ns;
      ++counted;
    }
    if (options_.keeps_records) Record(*request, execution, latency_ns);
    request = static_cast<const SimulatedRequest*>(request->next);
  }
  ++executions_;
  last_end_ns_ = std::max(last_end_ns_, end_ns);
  service_ns_ += counted * (end_ns - execution.start_ns);
  if (end_ns <= begin_ns_) return;  // also before the warm-up's end is known
  busy_ns_ += end_ns - std::max(execution.start_ns, begin_ns_);
  answered_in_window_ += execution.count;
  const size_t rows = std::min<size_t>(execution.rows, batches_.size() / kReasons - 1);
  ++batches_[rows * kReasons + static_cast<size_t>(execution.reason)];
}

void SimulationTally::Record(const SimulatedRequest& request, const Execution& execution,
                             uint64_t latency_ns) {
  SimulationRecord& record = records_[request.number];
  record.latency_ns = static_cast<int64_t>(latency_ns);
  record.queue_ns = static_cast<int64_t>(execution.start_ns - request.arrival_ns);
  record.batch = static_cast<uint32_t>(executions_);
  record.rows = static_cast<uint16_t>(std::min<uint32_t>(execution.rows, UINT16_MAX));
  record.reason = static_cast<uint8_t>(execution.reason);
  record.status = 0;
}

void SimulationTally::OnRefused(const SimulatedRequest& request, bool timed_out) {
  if (options_.keeps_records) records_[request.number].status = timed_out ? 2 : 1;
  if (request.number < options_.warmup_requests) return;
  ++(timed_out ? timed_out_ : rejected_);
}

SimulationResult SimulationTally::Take(uint64_t instance_count) {
  SimulationResult result;
  result.answered = latency_.count();
  result.rejected = rejected_;
  result.timed_out = timed_out_;
  result.mean_ns = latency_.mean_ns();
  result.queue_mean_ns = Mean(queue_ns_, result.answered);
  result.service_mean_ns = Mean(service_ns_, result.answered);
  result.quantiles_ns = latency_.Quantiles(kQuantiles, std::size(kQuantiles));
  result.max_ns = static_cast<double>(latency_.max_ns());
  // To the last answer, not to the last arrival: what waits then was offered too.
  result.duration_ns = Span(begin_ns_, last_end_ns_);
  result.throughput = static_cast<double>(answered_in_window_) * 1e9 / result.duration_ns;
  result.utilisation =
      static_cast<double>(busy_ns_) / (result.duration_ns * static_cast<double>(instance_count));
  result.batches = Batches();
  result.records = std::move(records_);
  return result;
}

std::vector<BatchTally> SimulationTally::Batches() const {
  std::vector<BatchTally> batches;
  for (size_t i = 0; i < batches_.size(); ++i) {
    if (batches_[i] == 0) continue;
    batches.push_back(
        {static_cast<uint32_t>(i / kReasons), static_cast<BatchReason>(i % kReasons), batches_[i]});
  }
  return batches;
}

}  // namespace workbench
