// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SimulationTally: counts what becomes of simulated requests, those of the warm-up left out. One owner, one
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/latency_histogram.h"
#include "sim/simulated_model.h"
#include "sim/simulation_result.h"

namespace workbench {

class SimulationTally {
 public:
  struct Options {
    uint64_t warmup_requests = 0;
    uint64_t overhead_ns = 0;
    uint32_t max_batch_size = 1;
    bool keeps_records = false;
  };

  explicit SimulationTally(const Options& options);

  void OnArrival(const SimulatedRequest& request);
  void OnExecuted(const Execution& execution, uint64_t end_ns);
  void OnRefused(const SimulatedRequest& request, bool timed_out);
  SimulationResult Take(uint64_t instance_count);

 private:
  static constexpr size_t kReasons = static_cast<size_t>(kLastBatchReason) + 1;

  void Record(const SimulatedRequest& request, const Execution& execution, uint64_t latency_ns);
  std::vector<BatchTally> Batches() const;

  const Options options_;
  LatencyHistogram latency_;
  std::vector<uint64_t> batches_;  // by rows and reason
  std::vector<SimulationRecord> records_;
  uint64_t begin_ns_ = UINT64_MAX;  // the warm-up's end
  uint64_t last_end_ns_ = 0;
  uint64_t answered_in_window_ = 0;  // after the warm-up, whenever they came
  uint64_t busy_ns_ = 0;
  uint64_t queue_ns_ = 0;
  uint64_t service_ns_ = 0;
  uint64_t executions_ = 0;
  uint64_t rejected_ = 0;
  uint64_t timed_out_ = 0;
};

}  // namespace workbench
