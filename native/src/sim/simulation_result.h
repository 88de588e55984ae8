// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SimulationResult: what is told of a simulation. A value.
#pragma once

#include <cstdint>
#include <vector>

#include "events/event.h"

namespace workbench {

// What became of one request, in the order of arrival.
struct SimulationRecord {
  int64_t arrival_ns = 0;   // since the start
  int64_t latency_ns = -1;  // -1: it was refused
  int64_t queue_ns = 0;
  uint32_t batch = 0;  // number of its execution, in the order in which executions ended
  uint16_t rows = 0;   // of the whole batch
  uint8_t reason = 0;  // BatchReason
  uint8_t status = 0;  // 0 answered, 1 the queue was full, 2 it waited for too long, 3 nothing became of it
};

struct BatchTally {
  uint32_t rows = 0;
  BatchReason reason = BatchReason::kNone;
  uint64_t count = 0;
};

// Of what came after the warm-up.
struct SimulationResult {
  uint64_t answered = 0;
  uint64_t rejected = 0;   // found the queue full
  uint64_t timed_out = 0;  // waited for too long
  double mean_ns = 0;      // of the latency
  double queue_mean_ns = 0;
  double service_mean_ns = 0;
  std::vector<double> quantiles_ns;  // by kQuantiles
  double max_ns = 0;
  double throughput = 0;   // answers per second
  double utilisation = 0;  // share of the time in which an instance executes, mean of all instances
  double duration_ns = 0;
  std::vector<BatchTally> batches;  // by rows, then reason; only those that there were
  bool is_overloaded = false;       // the queue grew to max_waiting
  bool is_stopped = false;
  std::vector<SimulationRecord> records;
  std::vector<SimulationResult> models;  // of an ensemble: what each of its models did, by steps' requests
};

constexpr double kQuantiles[] = {0.5, 0.9, 0.95, 0.99, 0.999};

}  // namespace workbench
