// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulated_sequences.h"

#include <algorithm>
#include <utility>

namespace workbench {
namespace {

SequenceSlots::Options SlotsOf(const SimulatedModel::Options& options) {
  const bool is_oldest = options.sequence.strategy == SequenceOptions::Strategy::kOldest;
  const uint32_t candidates = options.sequence.max_candidate_sequences;
  const uint32_t slots = is_oldest && candidates > 0 ? candidates : options.batching.max_batch_size;
  return {options.instance_count, slots, options.sequence.max_idle_ns};
}

BatchPolicy PolicyOf(BatchingOptions batching) {
  batching.is_dynamic = true;
  return BatchPolicy(std::move(batching));
}

}  // namespace

SimulatedSequences::SimulatedSequences(SimulatedModel::Options options, SimulationSink* sink)
    : options_(std::move(options)),
      sink_(sink),
      slots_(SlotsOf(options_)),
      rule_(options_.batching, options_.sequence),
      processor_(options_.service.speeds),
      factor_(options_.service.spread, options_.seed),
      pause_cost_(options_.service.after_pause) {
  instances_.reserve(options_.instance_count);
  for (uint32_t i = 0; i < options_.instance_count; ++i) instances_.emplace_back(PolicyOf(options_.batching));
}

void SimulatedSequences::Arrive(SimulatedRequest* request, uint64_t now_ns) {
  const SequenceSlots::Flags flags{request->is_start, request->is_end};
  Sequence* const sequence = slots_.Enroll({request->sequence_number, {}}, flags);
  if (sequence == nullptr) return sink_->OnRefused(request, now_ns, false);
  request->sequence = sequence;
  slots_.Append(sequence, request, flags, request->timeout_ns);
  ++waiting_;
  if (sequence->place == Sequence::Place::kSlot) {
    Note(sequence, now_ns);
    Offer(sequence->instance, now_ns);
  }
  FindNext();
}

void SimulatedSequences::Advance(uint64_t now_ns) {
  ReapAndExpire(now_ns);
  Finish(now_ns);
  for (uint32_t i = 0; i < instances_.size(); ++i) Offer(i, now_ns);
  FindNext();
}

// Something changed for a sequence in a slot: its first request may be a candidate now.
void SimulatedSequences::Note(Sequence* sequence, uint64_t now_ns) {
  sequence->is_ready = !sequence->waiting.empty() && sequence->running == 0;
  if (!is_oldest() || !sequence->is_ready) return;
  QueueEntry* const entry = slots_.Begin(sequence);
  entry->held_back_ns = now_ns > entry->arrival_ns ? now_ns - entry->arrival_ns : 0;
  instances_[sequence->instance].queue.Insert(entry, 0, 0);
}

void SimulatedSequences::ReapAndExpire(uint64_t now_ns) {
  entered_.clear();
  slots_.ReapIdle(now_ns, &entered_);
  for (Sequence* sequence : entered_) Note(sequence, now_ns);
  EntryList expired;
  slots_.ExpireBacklog(now_ns, &expired);
  while (!expired.empty()) {
    --waiting_;
    sink_->OnRefused(static_cast<SimulatedRequest*>(expired.TakeFront()), now_ns, true);
  }
}

void SimulatedSequences::Finish(uint64_t now_ns) {
  const SharedProcessor::Work done = processor_.DoneBy(now_ns);
  for (Instance& instance : instances_) {
    if (instance.running.count == 0 || instance.running.end > done) continue;
    const Execution ended = std::exchange(instance.running, Execution());
    --active_;
    instance.wake_ns = instance.idle_since_ns = now_ns;  // who is done takes what waits by itself
    const auto* request = ended.first;
    for (uint32_t i = 0; i < ended.count; ++i) {
      Sequence* const sequence = request->sequence;
      request = static_cast<const SimulatedRequest*>(request->next);
      Settle(sequence, now_ns);
    }
    sink_->OnExecuted(ended, now_ns - std::min(options_.service.turnaround_ns, now_ns));
  }
  processor_.SetActive(active_, now_ns);
}

// A request of the sequence is done: the next may go, or another sequence.
void SimulatedSequences::Settle(Sequence* sequence, uint64_t now_ns) {
  const bool has_slot = sequence->place == Sequence::Place::kSlot;
  slots_.Done(sequence, now_ns);
  if (!has_slot) return;  // and it may be another sequence's record by now
  Sequence* const next = sequence->has_ended() ? slots_.Vacate(sequence) : sequence;
  if (next != nullptr) Note(next, now_ns);
}

BatchDecision SimulatedSequences::Decide(uint32_t index, uint64_t now_ns) {
  if (!is_oldest()) return DecideDirect(index, now_ns);
  Instance& instance = instances_[index];
  BatchDecision decision = instance.policy.Decide(instance.queue.head(), now_ns);
  if (decision.reason == BatchReason::kInstanceFree) decision.reason = BatchReason::kSequence;
  return decision;
}

BatchDecision SimulatedSequences::DecideDirect(uint32_t index, uint64_t now_ns) const {
  uint32_t ready = 0;
  for (uint32_t slot = 0; slot < slots_.slot_count(); ++slot) {
    if (DirectRule::IsReady(slots_.at(index, slot))) ++ready;
  }
  return rule_.Decide(slots_, index, ready, now_ns);
}

void SimulatedSequences::Offer(uint32_t index, uint64_t now_ns) {
  Instance& instance = instances_[index];
  if (instance.running.count > 0) return;
  const BatchDecision decision = Decide(index, now_ns);
  instance.look_again_ns = SimulatedModel::kNever;
  if (decision.count == 0) {
    instance.wake_ns = SimulatedModel::kNever;
    if (decision.look_again_ns > 0) {
      instance.look_again_ns = decision.look_again_ns + options_.service.timer_late_ns;
    }
    return;
  }
  if (instance.wake_ns == SimulatedModel::kNever) instance.wake_ns = now_ns + options_.service.wake_ns;
  if (instance.wake_ns <= now_ns) Start(index, decision, now_ns);
}

void SimulatedSequences::Start(uint32_t index, const BatchDecision& decision, uint64_t now_ns) {
  Instance& instance = instances_[index];
  Execution execution = is_oldest() ? TakeOldest(&instance, decision.count) : TakeDirect(index, now_ns);
  execution.reason = decision.reason;
  execution.start_ns = now_ns;
  waiting_ -= execution.count;
  processor_.SetActive(++active_, now_ns);
  const std::vector<uint64_t>& times = options_.service.service_ns;
  const uint64_t service_ns = factor_.Scale(times[std::min<size_t>(execution.rows, times.size()) - 1]);
  const uint64_t extra_ns = pause_cost_.After(now_ns - instance.idle_since_ns);
  execution.end = processor_.EndOf(service_ns + extra_ns + options_.service.turnaround_ns);
  instance.running = execution;
  instance.wake_ns = SimulatedModel::kNever;
}

Execution SimulatedSequences::TakeOldest(Instance* instance, uint32_t count) {
  Execution execution;
  execution.first = static_cast<SimulatedRequest*>(instance->queue.head());
  execution.count = execution.rows = count;
  for (uint32_t i = 0; i < count; ++i) {
    QueueEntry* const entry = instance->queue.head();
    instance->queue.Remove(entry);  // its link to the next one stays
    entry->held_back_ns = 0;
  }
  instance->policy.Restart();
  return execution;
}

// A slot below the last one that has something to say takes its place in the batch, be it a gap.
Execution SimulatedSequences::TakeDirect(uint32_t index, uint64_t now_ns) {
  Execution execution;
  QueueEntry* last = nullptr;
  for (uint32_t slot = 0; slot < slots_.slot_count(); ++slot) {
    Sequence* const sequence = slots_.at(index, slot);
    if (!DirectRule::IsReady(sequence)) continue;
    QueueEntry* const entry = slots_.Begin(sequence);
    if (last == nullptr) execution.first = static_cast<SimulatedRequest*>(entry);
    if (last != nullptr) last->next = entry;
    last = entry;
    ++execution.count;
    execution.rows = slot + 1;
    sequence->is_ready = false;
    if (!DirectRule::LeavesSlot(*sequence)) continue;
    if (Sequence* const entered = slots_.Vacate(sequence)) Note(entered, now_ns);
  }
  return execution;
}

void SimulatedSequences::FindNext() {
  next_ns_ = SimulatedModel::kNever;
  if (const uint64_t deadline_ns = slots_.next_deadline_ns()) next_ns_ = deadline_ns;
  for (const Instance& instance : instances_) {
    if (instance.running.count > 0) {
      next_ns_ = std::min(next_ns_, processor_.TimeOf(instance.running.end));
    } else {
      next_ns_ = std::min({next_ns_, instance.wake_ns, instance.look_again_ns});
    }
  }
}

}  // namespace workbench
