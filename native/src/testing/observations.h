// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Observations: what the test backend `observed` saw, and how it is to behave; reached through the object's
// symbol `wb_observations`.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace workbench {

struct Observations {
  std::mutex mutex;

  // --- what a test wants
  bool blocks_device = false;      // TRITONBACKEND_EXECUTION_DEVICE_BLOCKING
  bool loads_in_parallel = false;  // instances are initialized by several threads
  int meet = 0;                    // so many initializations wait for each other
  std::string refuses_instance;    // that one fails to initialize
  int fails_executions = 0;        // the first executions that fail

  // --- what was seen, by names of instances
  std::vector<std::string> initialized, finalized;
  std::map<std::string, std::set<std::thread::id>> threads;     // that executed
  std::map<std::string, std::vector<int>> executions;           // sizes of their batches
  std::map<std::string, std::string> policies;                  // host policies, as JSON
  std::map<std::string, std::vector<std::string>> first_bytes;  // the first four of each request, as text
  std::map<std::string, int> allowed_cores;                     // of the thread that executes
  int met = 0;
};

}  // namespace workbench
