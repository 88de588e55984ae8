// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/direct_batcher.h"

namespace workbench {
namespace {

InferenceRequest* FirstOf(const Sequence& sequence) {
  return static_cast<InferenceRequest*>(sequence.waiting.front());
}

}  // namespace

DirectBatcher::DirectBatcher(SequenceSlots& slots, uint32_t instance, const SchedulingOptions& options)
    : SequenceBatcher(slots, instance) {
  DirectBatcher::Reconfigure(options);
}

void DirectBatcher::Reconfigure(const SchedulingOptions& options) {
  rule_ = DirectRule(options.batching, options.sequence);
}

void DirectBatcher::SetReady(Sequence* sequence, bool is_ready) {
  if (sequence->is_ready == is_ready) return;
  sequence->is_ready = is_ready;
  is_ready ? ++ready_count_ : --ready_count_;
}

bool DirectBatcher::IsReady(uint32_t slot) const { return DirectRule::IsReady(slots_.at(instance_, slot)); }

void DirectBatcher::Note(Sequence* sequence, uint64_t now_ns) {
  StampSlot(sequence, now_ns);
  SetReady(sequence, !sequence->waiting.empty() && sequence->running == 0);
}

BatchDecision DirectBatcher::Decide(uint64_t now_ns) {
  return rule_.Decide(slots_, instance_, ready_count_, now_ns);
}

void DirectBatcher::DropCancelled(uint32_t slot, uint64_t now_ns, EntryList* cancelled) {
  Sequence* sequence = slots_.at(instance_, slot);
  while (sequence != nullptr && sequence->is_ready && FirstOf(*sequence)->is_cancelled()) {
    SetReady(sequence, false);
    Abandon(sequence, now_ns, cancelled);
    sequence = slots_.at(instance_, slot);
  }
}

// The slot's request for a batch that `first` begins, or null for a gap.
InferenceRequest* DirectBatcher::TakeFrom(uint32_t slot, const InferenceRequest* first, uint64_t now_ns) {
  if (!IsReady(slot)) return nullptr;
  Sequence* const sequence = slots_.at(instance_, slot);
  if (first != nullptr && FirstOf(*sequence)->shape_signature != first->shape_signature) return nullptr;
  InferenceRequest* const request = Begin(sequence);
  SetReady(sequence, false);
  if (DirectRule::LeavesSlot(*sequence)) {
    Sequence* const entered = slots_.Vacate(sequence);
    if (entered != nullptr) Note(entered, now_ns);
  }
  return request;
}

void DirectBatcher::Take(const BatchDecision& decision, uint64_t now_ns, SequenceTake* take) {
  if (decision.count == 0) return;
  take->reason = decision.reason;
  const InferenceRequest* first = nullptr;
  size_t length = 0;  // up to the last slot that has something to say, be it of another shape
  for (uint32_t slot = 0; slot < slots_.slot_count(); ++slot) {
    DropCancelled(slot, now_ns, &take->cancelled);
    if (IsReady(slot)) length = slot + 1;
    InferenceRequest* const request = TakeFrom(slot, first, now_ns);
    take->requests->push_back(request);
    if (first == nullptr) first = request;
  }
  take->requests->resize(length);
}

void DirectBatcher::TakeAll(EntryList*) {
  for (uint32_t slot = 0; slot < slots_.slot_count(); ++slot) {
    Sequence* const sequence = slots_.at(instance_, slot);
    if (sequence != nullptr) SetReady(sequence, false);
  }
}

}  // namespace workbench
