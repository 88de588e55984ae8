// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/oldest_batcher.h"

#include <utility>

namespace workbench {
namespace {

BatchPolicy PolicyOf(const SchedulingOptions& options) {
  BatchingOptions batching = options.batching;
  batching.is_dynamic = true;
  return BatchPolicy(std::move(batching));
}

// A request that is executed again and again answers at any time.
std::shared_ptr<ResponseOrder> OrderOf(const SchedulingOptions& options) {
  const bool has_order = options.preserve_ordering && !options.sequence.is_iterative;
  return has_order ? std::make_shared<ResponseOrder>() : nullptr;
}

}  // namespace

OldestBatcher::OldestBatcher(SequenceSlots& slots, uint32_t instance, const SchedulingOptions& options)
    : SequenceBatcher(slots, instance), policy_(PolicyOf(options)), order_(OrderOf(options)) {}

void OldestBatcher::Reconfigure(const SchedulingOptions& options) {
  policy_ = PolicyOf(options);
  if (options.preserve_ordering != (order_ != nullptr)) order_ = OrderOf(options);
}

void OldestBatcher::Note(Sequence* sequence, uint64_t now_ns) {
  StampSlot(sequence, now_ns);
  if (sequence->waiting.empty() || sequence->running > 0) return;
  InferenceRequest* const request = Begin(sequence);
  request->held_back_ns = now_ns > request->arrival_ns ? now_ns - request->arrival_ns : 0;
  if (order_) order_->Enroll(request);
  queue_.Insert(request, 0, 0);
}

BatchDecision OldestBatcher::Decide(uint64_t now_ns) {
  BatchDecision decision = policy_.Decide(queue_.head(), now_ns);
  // Why not more: there is one of each sequence.
  if (decision.reason == BatchReason::kInstanceFree) decision.reason = BatchReason::kSequence;
  return decision;
}

InferenceRequest* OldestBatcher::Pop() {
  auto* const request = static_cast<InferenceRequest*>(queue_.head());
  queue_.Remove(request);
  request->held_back_ns = 0;
  return request;
}

void OldestBatcher::Take(const BatchDecision& decision, uint64_t now_ns, SequenceTake* take) {
  if (decision.count == 0) return;
  take->reason = decision.reason;
  for (uint32_t i = 0; i < decision.count; ++i) {
    InferenceRequest* const request = Pop();
    if (!request->is_cancelled()) {
      take->requests->push_back(request);
      continue;
    }
    take->cancelled.Append(request);
    Abandon(request->sequence, now_ns, &take->cancelled);
  }
  policy_.Restart();
}

void OldestBatcher::TakeAll(EntryList* left) {
  while (queue_.head() != nullptr) left->Append(Pop());
  policy_.Restart();
}

}  // namespace workbench
