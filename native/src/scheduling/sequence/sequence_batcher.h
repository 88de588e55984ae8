// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SequenceBatcher: what one instance runs next of the sequences in its slots, and why; or when to look again.
// Pure: no thread, lock or clock; one caller at a time. DirectBatcher and OldestBatcher are the strategies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "inference/inference_request.h"
#include "scheduling/scheduler.h"
#include "scheduling/sequence/sequence_slots.h"

namespace workbench {

// What leaves the slots at once.
struct SequenceTake {
  std::vector<InferenceRequest*>* requests = nullptr;  // null: a place whose sequence has nothing to say
  BatchReason reason = BatchReason::kNone;
  EntryList cancelled;  // with what waited behind them in their sequences
};

class SequenceBatcher {
 public:
  // Borrows the slots.
  SequenceBatcher(SequenceSlots& slots, uint32_t instance) : slots_(slots), instance_(instance) {}
  virtual ~SequenceBatcher() = default;

  // Something changed for a sequence in one of the instance's slots: a request came or is done, or it got
  // the slot just now.
  virtual void Note(Sequence* sequence, uint64_t now_ns) = 0;
  // count: sequences that would go.
  virtual BatchDecision Decide(uint64_t now_ns) = 0;
  // Takes what Decide said; nothing where that is nothing. Every request taken has begun, and knows its
  // sequence.
  virtual void Take(const BatchDecision& decision, uint64_t now_ns, SequenceTake* take) = 0;
  // What the batcher itself holds, for whoever stops.
  virtual void TakeAll(EntryList* left) = 0;
  virtual void Reconfigure(const SchedulingOptions& options) = 0;
  // Whether time plays no part in Decide.
  virtual bool is_immediate() const = 0;

 protected:
  // For Note: the first time that it hears of a sequence is when that got its slot.
  static void StampSlot(Sequence* sequence, uint64_t now_ns) {
    if (sequence->slot_since_ns == 0) sequence->slot_since_ns = now_ns;
  }
  InferenceRequest* Begin(Sequence* sequence) {
    auto* const request = static_cast<InferenceRequest*>(slots_.Begin(sequence));
    request->sequence = sequence;
    return request;
  }
  // One of its requests was cancelled: the rest of it makes no sense without. The slot goes to another.
  void Abandon(Sequence* sequence, uint64_t now_ns, EntryList* cancelled) {
    Sequence* const entered = slots_.Abandon(sequence, cancelled);
    if (entered != nullptr) Note(entered, now_ns);
  }

  SequenceSlots& slots_;
  const uint32_t instance_;
};

// One batcher of the strategy that the options name.
std::unique_ptr<SequenceBatcher> NewSequenceBatcher(SequenceSlots& slots, uint32_t instance,
                                                    const SchedulingOptions& options);

}  // namespace workbench
