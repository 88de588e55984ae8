// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchPolicy: which of the waiting requests go now, and why; or when to look again. Pure: no thread, lock or
// clock, so the scheduler drives it with real time and the simulator with virtual time. One queue, one caller
// at a time.
//
// The scan of the queue resumes where it stopped, so deciding after each arrival costs the same at any queue
// length.
#pragma once

#include <cstdint>
#include <vector>

#include "events/event.h"
#include "inference/queue_entry.h"
#include "scheduling/batch_strategy.h"

namespace workbench {

// The batching part of a model's configuration. Immutable; a new configuration is a new policy.
struct BatchingOptions {
  bool is_dynamic = false;  // false: one request for each execution
  uint32_t max_batch_size = 1;
  uint64_t max_queue_delay_ns = 0;
  std::vector<uint32_t> preferred_batch_sizes;  // empty: max_batch_size alone
  BatchStrategy* strategy = nullptr;            // borrowed, may be null; outlives the policy
};

struct BatchDecision {
  uint32_t count = 0;  // entries, from the head of the queue, that go now
  BatchReason reason = BatchReason::kNone;
  uint64_t look_again_ns = 0;  // where count is 0: when it may be more. 0: only once something changes
};

class BatchPolicy {
 public:
  explicit BatchPolicy(BatchingOptions options);

  // head: the oldest waiting entry, or null.
  BatchDecision Decide(const QueueEntry* head, uint64_t now_ns) {
    if (head == nullptr) return {};
    if (!options_.is_dynamic) return {1, BatchReason::kDirect, 0};
    return DecideDynamic(head, now_ns);
  }
  // The queue lost entries that were looked at: look at all of it again. Also before a policy with a strategy
  // goes, which ends the batch begun.
  void Restart() {
    last_ = nullptr;
    count_ = rows_ = best_count_ = best_rows_ = 0;
    oldest_ns_ = UINT64_MAX;
    stopped_by_ = BatchReason::kNone;
    if (is_begun_) options_.strategy->End();
    is_begun_ = false;
  }

  // Whether whatever waits goes as soon as it is looked at, so that time plays no part.
  bool is_immediate() const { return !options_.is_dynamic || options_.max_queue_delay_ns == 0; }
  const BatchingOptions& options() const { return options_; }

 private:
  BatchDecision DecideDynamic(const QueueEntry* head, uint64_t now_ns);
  void Scan(const QueueEntry* head);
  bool Add(const QueueEntry& entry, const QueueEntry& head);
  bool Fits(const QueueEntry& entry, const QueueEntry& head);
  bool IsIncluded(const QueueEntry& entry);
  bool IsPreferred(uint32_t rows) const;
  BatchDecision Send(uint32_t count, uint32_t rows, BatchReason reason) const;

  BatchingOptions options_;
  uint32_t largest_preferred_ = 0;

  // What the scan has seen so far.
  const QueueEntry* last_ = nullptr;
  uint32_t count_ = 0;
  uint64_t oldest_ns_ =
      UINT64_MAX;  // arrival of the one that waits longest: the head, unless priorities reorder
  uint32_t rows_ = 0;
  uint32_t best_count_ = 0;  // entries that make up the best size met
  uint32_t best_rows_ = 0;
  BatchReason stopped_by_ = BatchReason::kNone;  // nothing can be added to what was scanned, for this reason
  bool is_begun_ = false;                        // the strategy was told of a batch, and not of its end
};

}  // namespace workbench
