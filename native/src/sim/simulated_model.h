// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SimulatedModel: one model with direct or dynamic scheduling under virtual time. Queue and policy are the
// scheduler's own; the instances are times. Whoever drives it brings arrivals in order, and calls Advance
// whenever next_ns has come. Pure; one owner, one thread. After the first requests it allocates nothing,
// timeouts aside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scheduling/batch_policy.h"
#include "scheduling/request_queue.h"
#include "scheduling/sequence/sequence.h"
#include "scheduling/sequence/sequence_options.h"
#include "sim/pause_cost.h"
#include "sim/random_factor.h"
#include "sim/service_model.h"
#include "sim/shared_processor.h"

namespace workbench {

struct SimulatedRequest : QueueEntry {
  uint64_t number = 0;  // from 0, in the order of arrival
  uint64_t priority = 0;
  uint64_t timeout_ns = 0;

  // Of a sequence.
  uint64_t sequence_number = 0;  // 0: it stands alone
  bool is_start = false;
  bool is_end = false;
  Sequence* sequence = nullptr;
};

// A batch on an instance. Its requests are chained by QueueEntry::next, `count` of them.
struct Execution {
  SimulatedRequest* first = nullptr;
  uint32_t count = 0;
  uint32_t rows = 0;
  BatchReason reason = BatchReason::kNone;
  uint64_t start_ns = 0;
  SharedProcessor::Work end = 0;
};

// Who is told what becomes of requests, and gets them back.
class SimulationSink {
 public:
  virtual ~SimulationSink() = default;
  // The requests were answered at end_ns. They may be used again once the call returns, and the call may
  // bring new ones.
  virtual void OnExecuted(const Execution& execution, uint64_t end_ns) = 0;
  // timed_out: it waited for too long; else the queue was full.
  virtual void OnRefused(SimulatedRequest* request, uint64_t now_ns, bool timed_out) = 0;
};

class SimulatedModel {
 public:
  static constexpr uint64_t kNever = UINT64_MAX;

  struct Options {
    BatchingOptions batching;
    QueueOptions queue;
    SequenceOptions sequence;
    ServiceModel service;
    uint32_t instance_count = 1;
    uint64_t seed = 1;  // of what varies in the service time
  };

  // REQUIRES: Check(options.service) is fine, and there is an instance. Borrows sink, which outlives it.
  SimulatedModel(Options options, SimulationSink* sink);

  // REQUIRES: request->arrival_ns == now_ns, and no time went back.
  void Arrive(SimulatedRequest* request, uint64_t now_ns);
  // When Advance has something to do; kNever: nothing happens without an arrival.
  uint64_t next_ns() const { return next_ns_; }
  void Advance(uint64_t now_ns);
  // Instances of other models that are active, and share the processors with this one's.
  void SetOthers(size_t count, uint64_t now_ns);

  size_t waiting() const { return queue_.length(); }
  size_t active() const { return running_.size(); }

 private:
  bool Insert(SimulatedRequest* request, uint64_t now_ns);
  bool has_idle() const { return !idle_since_ns_.empty(); }
  // An instance that is on its way to what was ready for it.
  struct Waking {
    uint64_t at_ns;
    uint64_t idle_since_ns;
  };
  uint64_t ServiceTime(uint32_t rows, uint64_t pause_ns);
  uint64_t TakeIdle();
  void Expire(uint64_t now_ns);
  void Finish(uint64_t now_ns);
  void Wake(uint64_t now_ns);
  void Offer(uint64_t now_ns);
  bool Take(uint64_t now_ns, uint64_t idle_since_ns);
  void Start(const BatchDecision& decision, uint64_t now_ns, uint64_t idle_since_ns);
  void FindEnd();
  void FindNext();

  const Options options_;
  SimulationSink* const sink_;
  RequestQueue queue_;
  BatchPolicy policy_;
  SharedProcessor processor_;
  RandomFactor factor_;
  const PauseCost pause_cost_;
  std::vector<Execution> running_;       // in the order in which they began
  std::vector<Execution> ended_;         // whose instances are answering
  std::vector<Waking> waking_;           // first come first
  std::vector<uint64_t> idle_since_ns_;  // of idle instances; the last to be idle is the first to be woken
  std::vector<QueueEntry*> expired_;
  size_t others_ = 0;
  bool has_changed_ = false;         // executions began or ended since end_ns_ was found
  uint64_t end_ns_ = kNever;         // of the execution that ends first
  uint64_t look_again_ns_ = kNever;  // when the policy may have a batch
  uint64_t next_ns_ = kNever;
};

}  // namespace workbench
