// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Scheduler: takes requests of one model, hands them out in batches to whichever instance asks. Owned by the
// model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "inference/inference_request.h"
#include "scheduling/batch_policy.h"
#include "scheduling/queue_policy.h"
#include "scheduling/sequence/sequence_options.h"

namespace workbench {

// A request that was not taken, handed back with the reason.
struct Refusal {
  Status reason;
  RequestPtr request;
};

// Requests that execute together. Owns them until the backend does.
struct Batch {
  std::vector<InferenceRequest*> requests;
  BatchReason reason = BatchReason::kNone;
  // Of sequences: cancelled requests are out already, and null requests keep the places of others.
  bool is_of_sequences = false;
};

// How a model's requests are scheduled. Immutable; a new configuration is a new value.
struct SchedulingOptions {
  BatchingOptions batching;
  QueueOptions queue;
  bool preserve_ordering = false;
  SequenceOptions sequence;
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  // Any thread.
  virtual std::optional<Refusal> Enqueue(RequestPtr request) = 0;
  // An instance, by its index, is free and asks for a batch; false: none is ready for it. Any thread.
  virtual bool Take(uint32_t instance, Batch* batch) = 0;
  // Whether Take may succeed, without a lock: what an instance polls.
  virtual bool has_ready(uint32_t instance) const = 0;
  virtual size_t queue_length() const = 0;
  // The same by priority level, of those at which anything ever waited, ascending; nothing where there is one
  // queue.
  virtual std::vector<QueueLevel> queue_levels() const { return {}; }
  // What it counts beside the instances: of requests that none of them executes.
  virtual StatisticsSnapshot statistics() const { return {}; }
  // A request that the scheduler handed out with its `sequence` set is about to go back to its sender.
  virtual void OnReleased(InferenceRequest*) {}
  // Such a request is to be executed again. Taken on success.
  virtual Status Reschedule(InferenceRequest* request) {
    return request->target()->InferenceTarget::Reschedule(request);
  }
  // Sequences whose next request may come, and whether this is one: such are taken even after Flush.
  virtual size_t open_sequences() const { return 0; }
  virtual bool Continues(const InferenceRequest&) const { return false; }
  // Nobody can go on with them any more: they end once what waits is done.
  virtual void CutSequences() {}
  // From the next decision on.
  virtual void Reconfigure(SchedulingOptions options) = 0;
  // What waits goes at once: nothing more is coming.
  virtual void Flush() = 0;
  // Nothing is looked at any more; what still waits is answered with UNAVAILABLE. A thread may still be on
  // its way out of Enqueue.
  virtual void Stop() = 0;
};

}  // namespace workbench
