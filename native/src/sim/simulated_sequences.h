// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SimulatedSequences: one model whose requests come in sequences, under virtual time, driven as
// SimulatedModel is. Slots, queue and policy are the scheduler's own. Each instance runs the sequences of its
// own slots. Pure; one owner, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "scheduling/sequence/direct_rule.h"
#include "scheduling/sequence/sequence_slots.h"
#include "sim/simulated_model.h"

namespace workbench {

class SimulatedSequences {
 public:
  using Options = SimulatedModel::Options;

  // REQUIRES: options.sequence.is_enabled(), and as of SimulatedModel.
  SimulatedSequences(SimulatedModel::Options options, SimulationSink* sink);

  // The request names its sequence. REQUIRES: as of SimulatedModel.
  void Arrive(SimulatedRequest* request, uint64_t now_ns);
  uint64_t next_ns() const { return next_ns_; }
  void Advance(uint64_t now_ns);

  size_t waiting() const { return waiting_; }

 private:
  struct Instance {
    explicit Instance(BatchPolicy its_policy) : policy(std::move(its_policy)) {}
    BatchPolicy policy;
    RequestQueue queue{QueueOptions()};  // oldest: first requests of the sequences in its slots
    Execution running;                   // count 0: it is idle
    uint64_t idle_since_ns = 0;
    uint64_t wake_ns = SimulatedModel::kNever;
    uint64_t look_again_ns = SimulatedModel::kNever;
  };

  bool is_oldest() const { return options_.sequence.strategy == SequenceOptions::Strategy::kOldest; }
  void Note(Sequence* sequence, uint64_t now_ns);
  void ReapAndExpire(uint64_t now_ns);
  void Finish(uint64_t now_ns);
  void Settle(Sequence* sequence, uint64_t now_ns);
  BatchDecision Decide(uint32_t index, uint64_t now_ns);
  BatchDecision DecideDirect(uint32_t index, uint64_t now_ns) const;
  void Offer(uint32_t index, uint64_t now_ns);
  void Start(uint32_t index, const BatchDecision& decision, uint64_t now_ns);
  Execution TakeOldest(Instance* instance, uint32_t count);
  Execution TakeDirect(uint32_t index, uint64_t now_ns);
  void FindNext();

  const SimulatedModel::Options options_;
  SimulationSink* const sink_;
  SequenceSlots slots_;
  const DirectRule rule_;
  std::vector<Instance> instances_;
  SharedProcessor processor_;
  RandomFactor factor_;
  const PauseCost pause_cost_;
  std::vector<Sequence*> entered_;
  size_t active_ = 0;
  size_t waiting_ = 0;
  uint64_t next_ns_ = SimulatedModel::kNever;
};

}  // namespace workbench
