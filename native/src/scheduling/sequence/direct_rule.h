// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DirectRule: when the sequences in an instance's slots go, where each keeps its place in the batch. Pure:
// scheduler and simulator ask the same one. A value.
#pragma once

#include <algorithm>
#include <cstdint>

#include "scheduling/batch_policy.h"
#include "scheduling/sequence/sequence_options.h"
#include "scheduling/sequence/sequence_slots.h"

namespace workbench {

class DirectRule {
 public:
  DirectRule() = default;
  DirectRule(const BatchingOptions& batching, const SequenceOptions& sequence)
      : delay_ns_(sequence.minimum_slot_utilization > 0 ? batching.max_queue_delay_ns : 0),
        minimum_slot_utilization_(sequence.minimum_slot_utilization) {}

  bool is_immediate() const { return delay_ns_ == 0; }

  // ready: slots of the instance that have something to say.
  BatchDecision Decide(const SequenceSlots& slots, uint32_t instance, uint32_t ready, uint64_t now_ns) const {
    if (ready == 0) return {};
    const double share = static_cast<double>(ready) / slots.slot_count();
    if (delay_ns_ == 0 || share >= minimum_slot_utilization_) return {ready, BatchReason::kSequence, 0};
    const uint64_t due_ns = OldestArrival(slots, instance) + delay_ns_;
    if (now_ns >= due_ns) return {ready, BatchReason::kDelayExpired, 0};
    return {0, BatchReason::kNone, due_ns};
  }

  static bool IsReady(const Sequence* sequence) { return sequence != nullptr && sequence->is_ready; }
  // Its last request was taken: the slot is free for the next batch, which cannot start before this one is
  // done.
  static bool LeavesSlot(const Sequence& sequence) { return !sequence.is_open && sequence.waiting.empty(); }

 private:
  static uint64_t OldestArrival(const SequenceSlots& slots, uint32_t instance) {
    uint64_t oldest_ns = UINT64_MAX;
    for (uint32_t slot = 0; slot < slots.slot_count(); ++slot) {
      const Sequence* const sequence = slots.at(instance, slot);
      if (IsReady(sequence)) oldest_ns = std::min(oldest_ns, sequence->waiting.front()->arrival_ns);
    }
    return oldest_ns;
  }

  uint64_t delay_ns_ = 0;  // 0 too where no share of the slots is to be waited for
  double minimum_slot_utilization_ = 0.0;
};

}  // namespace workbench
