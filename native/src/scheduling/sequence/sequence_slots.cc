// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_slots.h"

#include <algorithm>
#include <functional>

namespace workbench {

SequenceSlots::SequenceSlots(const Options& options) : options_(options) {
  options_.instance_count = std::max(1u, options_.instance_count);
  options_.slot_count = std::max(1u, options_.slot_count);
  slots_.resize(size_t{options_.instance_count} * options_.slot_count);
  free_.resize(slots_.size());
  for (uint32_t i = 0; i < free_.size(); ++i) free_[i] = i;  // in order: a heap already
}

Sequence* SequenceSlots::NewSequence(const SequenceId& id) {
  if (unused_.empty()) {
    sequences_.push_back(std::make_unique<Sequence>());
    unused_.push_back(sequences_.back().get());
  }
  Sequence* const sequence = unused_.back();
  unused_.pop_back();
  sequence->number = id.number;
  sequence->text = id.text;
  sequence->is_open = true;
  sequence->begun = 0;
  sequence->slot_since_ns = sequence->done_ns = 0;
  open_.Insert(sequence);
  return sequence;
}

Sequence* SequenceSlots::Enroll(const SequenceId& id, Flags flags) {
  Sequence* sequence = open_.Find(id);
  if (sequence != nullptr || !flags.is_start) return sequence;
  sequence = NewSequence(id);
  if (free_.empty()) {
    Queue(sequence);
  } else {
    std::pop_heap(free_.begin(), free_.end(), std::greater<>());
    const uint32_t index = free_.back();
    free_.pop_back();
    Enter(sequence, index);
  }
  return sequence;
}

void SequenceSlots::Enter(Sequence* sequence, uint32_t index) {
  sequence->place = Sequence::Place::kSlot;
  sequence->instance = index % options_.instance_count;
  sequence->slot = index / options_.instance_count;
  slots_[index] = sequence;
}

void SequenceSlots::Queue(Sequence* sequence) {
  sequence->place = Sequence::Place::kBacklog;
  sequence->patience_ns = 0;
  backlog_.Append(sequence);
  ++backlog_length_;
}

void SequenceSlots::LeaveBacklog(Sequence* sequence) {
  backlog_.Remove(sequence);
  --backlog_length_;
  if (sequence->patience_ns != 0) patience_.erase({sequence->patience_ns, sequence});
  sequence->patience_ns = 0;
  sequence->place = Sequence::Place::kNowhere;
}

void SequenceSlots::Append(Sequence* sequence, QueueEntry* entry, Flags flags, uint64_t timeout_ns) {
  Wake(sequence);
  sequence->waiting.Append(entry);
  if (flags.is_end) Close(sequence);
  if (timeout_ns == 0 || sequence->place != Sequence::Place::kBacklog) return;
  const uint64_t patience_ns = entry->arrival_ns + timeout_ns;
  if (sequence->patience_ns != 0 && sequence->patience_ns <= patience_ns) return;
  if (sequence->patience_ns != 0) patience_.erase({sequence->patience_ns, sequence});
  sequence->patience_ns = patience_ns;
  patience_.insert({patience_ns, sequence});
}

// Not idle any more.
void SequenceSlots::Wake(Sequence* sequence) {
  if (sequence->idle_since_ns == 0) return;
  sequence->idle_since_ns = 0;
  idle_.Remove(sequence);
}

void SequenceSlots::Close(Sequence* sequence) {
  if (!sequence->is_open) return;
  sequence->is_open = false;
  open_.Remove(sequence);
}

QueueEntry* SequenceSlots::Begin(Sequence* sequence) {
  ++sequence->running;
  ++sequence->begun;
  return sequence->waiting.TakeFront();
}

void SequenceSlots::Done(Sequence* sequence, uint64_t now_ns) {
  --sequence->running;
  sequence->done_ns = now_ns;
  const bool has_slot = sequence->place == Sequence::Place::kSlot;
  if (has_slot && sequence->is_open && sequence->waiting.empty() && sequence->running == 0) {
    sequence->idle_since_ns = std::max<uint64_t>(1, now_ns);
    idle_.Append(sequence);
  }
  RecycleIfOver(sequence);
}

Sequence* SequenceSlots::Vacate(Sequence* sequence) {
  const uint32_t index = IndexOf(sequence->instance, sequence->slot);
  Wake(sequence);
  Close(sequence);
  sequence->place = Sequence::Place::kNowhere;
  slots_[index] = nullptr;
  RecycleIfOver(sequence);
  Sequence* const next = backlog_.front();
  if (next != nullptr) {
    LeaveBacklog(next);
    Enter(next, index);
  } else {
    free_.push_back(index);
    std::push_heap(free_.begin(), free_.end(), std::greater<>());
  }
  return next;
}

Sequence* SequenceSlots::Abandon(Sequence* sequence, EntryList* left) {
  left->TakeAllOf(&sequence->waiting);
  if (sequence->place == Sequence::Place::kSlot) return Vacate(sequence);
  if (sequence->place == Sequence::Place::kBacklog) LeaveBacklog(sequence);
  Close(sequence);
  RecycleIfOver(sequence);
  return nullptr;
}

void SequenceSlots::ReapIdle(uint64_t now_ns, std::vector<Sequence*>* entered) {
  while (!idle_.empty() && idle_.front()->idle_since_ns + options_.max_idle_ns <= now_ns) {
    Sequence* const next = Vacate(idle_.front());
    if (next != nullptr) entered->push_back(next);
  }
}

void SequenceSlots::ExpireBacklog(uint64_t now_ns, EntryList* expired) {
  while (!patience_.empty() && patience_.begin()->first <= now_ns) {
    Abandon(patience_.begin()->second, expired);
  }
}

uint64_t SequenceSlots::next_deadline_ns() const {
  const uint64_t idle_ns = idle_.empty() ? 0 : idle_.front()->idle_since_ns + options_.max_idle_ns;
  if (patience_.empty()) return idle_ns;
  return idle_ns == 0 ? patience_.begin()->first : std::min(idle_ns, patience_.begin()->first);
}

void SequenceSlots::CloseAll(std::vector<Sequence*>* entered) {
  while (!idle_.empty()) {
    Sequence* const next = Vacate(idle_.front());
    if (next != nullptr) entered->push_back(next);
  }
  for (const auto& sequence : sequences_) Close(sequence.get());
}

void SequenceSlots::AbandonAll(EntryList* left) {
  while (!backlog_.empty()) Abandon(backlog_.front(), left);
  for (Sequence* sequence : slots_) {
    if (sequence != nullptr) Abandon(sequence, left);
  }
}

void SequenceSlots::RecycleIfOver(Sequence* sequence) {
  if (sequence->place != Sequence::Place::kNowhere || !sequence->has_ended()) return;
  if (sequence->states != nullptr) unused_states_.push_back(std::exchange(sequence->states, nullptr));
  sequence->id_input.spec = nullptr;
  unused_.push_back(sequence);
}

SequenceStates* SequenceSlots::TakeUnusedStates() {
  if (unused_states_.empty()) return nullptr;
  SequenceStates* const states = unused_states_.back();
  unused_states_.pop_back();
  return states;
}

}  // namespace workbench
