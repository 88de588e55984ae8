// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SimulationRun: many simulations on several threads. Which thread takes which changes no result. Any thread
// may call it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "sim/simulation.h"

namespace workbench {

class SimulationRun {
 public:
  // Stops, and waits for the threads.
  virtual ~SimulationRun() = default;
  // What is under way ends soon, what has not begun stays undone. Returns at once.
  virtual void Stop() = 0;
  // False: the simulations took longer than timeout_ns.
  virtual bool Wait(uint64_t timeout_ns) = 0;
  // Simulations that are done.
  virtual size_t done() const = 0;
  // In the order of the options. REQUIRES: Wait was true, and this is called once.
  virtual std::vector<Result<SimulationResult>> Results() = 0;
};

// Starts at once; UNAVAILABLE where no thread can be started. The schedules that the cells name outlive the
// run.
Result<std::unique_ptr<SimulationRun>> StartSimulations(std::vector<SimulationOptions> cells,
                                                        uint32_t thread_count);

}  // namespace workbench
