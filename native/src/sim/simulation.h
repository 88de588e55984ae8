// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulation: one configuration under one load, from an empty server to the last answer, and what is told of
// it. The same options give the same result to the last bit. One owner, one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "sim/arrival_stream.h"
#include "sim/simulated_ensemble.h"
#include "sim/simulated_model.h"
#include "sim/simulation_result.h"

namespace workbench {

struct SimulationOptions {
  SimulatedModel::Options model;        // of an ensemble: its overhead alone
  SimulatedEnsemble::Options ensemble;  // without steps: it is a model by itself
  TrafficOptions traffic;
  uint64_t warmup_requests = 0;         // the first ones, which are not counted
  uint64_t max_waiting = 1 << 20;       // a longer queue ends the simulation: it would grow for ever
  std::vector<double> priority_shares;  // of priorities 1, 2, ...; empty: all have the model's default
  std::vector<double> row_shares;       // of requests with 1, 2, ... rows; empty: one row each
  uint64_t timeout_ns = 0;              // that every request asks for
  uint32_t sequence_count = 0;          // sequences under way, which take turns; of a model that has them
  uint32_t sequence_length = 1;         // requests of each
  bool keeps_records = false;           // one for each request
};

// Runs to the end, or until stop is set.
Result<SimulationResult> Simulate(const SimulationOptions& options, const std::atomic<bool>& stop);

}  // namespace workbench
