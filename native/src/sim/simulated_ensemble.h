// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SimulatedEnsemble: requests that run through a graph of models under virtual time, driven as SimulatedModel
// is. Graph and progress are those of the server; each model has its queue, policy and instances, and all
// share the processors. A step's request comes the moment its inputs are there. Pure; one owner, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduling/ensemble_graph.h"
#include "scheduling/ensemble_progress.h"
#include "sim/simulated_model.h"
#include "sim/simulation_tally.h"

namespace workbench {

class SimulatedEnsemble {
 public:
  struct Options {
    EnsembleOptions graph;  // without steps: no ensemble
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<SimulatedModel::Options> models;
    std::vector<uint32_t> model_of_step;
    uint64_t warmup_requests = 0;
  };

  // REQUIRES: Check(options) is fine. Borrows options and sink, which outlive it.
  SimulatedEnsemble(const Options& options, SimulationSink* sink);
  ~SimulatedEnsemble();

  // REQUIRES: as of SimulatedModel.
  void Arrive(SimulatedRequest* request, uint64_t now_ns);
  uint64_t next_ns() const { return next_ns_; }
  void Advance(uint64_t now_ns);

  size_t waiting() const;
  // Of each model, once.
  std::vector<SimulationResult> TakeResults();

 private:
  struct Run;
  struct StepRequest;
  class Station;
  template <typename T>
  struct Unused {
    T* Take(std::deque<T>* all);
    void GiveBack(T* one) { unused.push_back(one); }
    std::vector<T*> unused;
  };

  Run* Begin(SimulatedRequest* request);
  void GoOn(Run* run);
  void Launch(Run* run, const EnsembleProgress::Place& place);
  void OnStepDone(StepRequest* step, uint64_t start_ns, uint64_t end_ns);
  void OnStepRefused(StepRequest* step, bool timed_out);
  void Settle(Run* run, const EnsembleProgress::Place& place);
  void EndStep(Run* run);
  void Share();

  const Options& options_;
  const EnsembleGraph graph_;
  SimulationSink* const sink_;
  const std::vector<bool> wanted_;  // all that the ensemble answers with
  std::vector<uint64_t> shapes_;    // by step: those that give a model other inputs share no batch
  std::vector<std::unique_ptr<Station>> stations_;
  // As many as were under way at once, used again and again.
  std::deque<Run> runs_;
  std::deque<StepRequest> steps_;
  Unused<Run> unused_runs_;
  Unused<StepRequest> unused_steps_;
  uint64_t now_ns_ = 0;
  uint64_t next_ns_ = SimulatedModel::kNever;
};

Status Check(const SimulatedEnsemble::Options& options);

}  // namespace workbench
