// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SequenceSlots: which sequence has which slot of which instance, and which wait for one. Pure: no thread,
// lock or clock; one caller at a time. Owns the sequences, borrows their entries.
//
// A sequence gets the lowest slot that is free over all instances and keeps it until it is vacated: because
// it ended, was abandoned, or was idle for too long. A vacated slot goes to the first of the backlog.
// Sequences that are over, and whose requests are done, are used again.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "scheduling/sequence/sequence_list.h"
#include "scheduling/sequence/sequence_table.h"

namespace workbench {

class SequenceSlots {
 public:
  struct Options {
    uint32_t instance_count = 1;
    uint32_t slot_count = 1;  // of each instance
    uint64_t max_idle_ns = 1'000'000'000;
  };
  // What a request says of its place.
  struct Flags {
    bool is_start = false;
    bool is_end = false;
  };

  explicit SequenceSlots(const Options& options);

  // The open sequence of the id, or a new one; null where there is none and the request starts none.
  Sequence* Enroll(const SequenceId& id, Flags flags);
  // The entry waits in its sequence from now on; is_end: nothing can follow it, the id is free again.
  // timeout_ns: how long it may be in the backlog; 0: for ever.
  void Append(Sequence* sequence, QueueEntry* entry, Flags flags, uint64_t timeout_ns);
  // The sequence's first waiting entry leaves, to run.
  QueueEntry* Begin(Sequence* sequence);
  // An entry that began is done. The sequence may be gone afterwards, unless it has a slot.
  void Done(Sequence* sequence, uint64_t now_ns);

  // The sequence gives back its slot, and its id if that is open still. The sequence that gets the slot, or
  // null. REQUIRES: it has a slot and nothing waits.
  Sequence* Vacate(Sequence* sequence);
  // It ends here and now: what waits is moved to `left`. Returns as Vacate does.
  Sequence* Abandon(Sequence* sequence, EntryList* left);
  // Ends the sequences in slots that have been idle for too long; adds those that got their slots to
  // `entered`.
  void ReapIdle(uint64_t now_ns, std::vector<Sequence*>* entered);
  // Ends the sequences whose time in the backlog is up.
  void ExpireBacklog(uint64_t now_ns, EntryList* expired);
  // When ReapIdle or ExpireBacklog has something to do; 0: never.
  uint64_t next_deadline_ns() const;
  // Whether a sequence of that id is open.
  bool IsOpen(const SequenceId& id) const { return open_.Find(id) != nullptr; }
  // Nothing more comes for those that are open; adds those that got the slots of idle ones to `entered`.
  void CloseAll(std::vector<Sequence*>* entered);
  // Ends all of them.
  void AbandonAll(EntryList* left);

  // The sequence in that slot, or null.
  Sequence* at(uint32_t instance, uint32_t slot) const { return slots_[IndexOf(instance, slot)]; }
  uint32_t slot_count() const { return options_.slot_count; }
  uint32_t instance_count() const { return options_.instance_count; }
  size_t open_count() const { return open_.size(); }
  size_t free_slot_count() const { return free_.size(); }
  size_t backlog_length() const { return backlog_length_; }
  // States that sequences had which are over; null: there are none.
  SequenceStates* TakeUnusedStates();
  void set_max_idle_ns(uint64_t max_idle_ns) { options_.max_idle_ns = max_idle_ns; }

 private:
  uint32_t IndexOf(uint32_t instance, uint32_t slot) const {
    return slot * options_.instance_count + instance;
  }
  Sequence* NewSequence(const SequenceId& id);
  void Enter(Sequence* sequence, uint32_t index);
  void Queue(Sequence* sequence);
  void LeaveBacklog(Sequence* sequence);
  void Close(Sequence* sequence);
  void Wake(Sequence* sequence);
  void RecycleIfOver(Sequence* sequence);

  Options options_;
  std::vector<std::unique_ptr<Sequence>> sequences_;
  std::vector<Sequence*> unused_;
  std::vector<SequenceStates*> unused_states_;
  SequenceTable open_;
  std::vector<Sequence*> slots_;  // by IndexOf: slot 0 of all instances, then slot 1
  std::vector<uint32_t> free_;    // indices, a heap with the lowest on top
  SequenceList backlog_;
  size_t backlog_length_ = 0;
  std::set<std::pair<uint64_t, Sequence*>> patience_;  // of those in the backlog that have a timeout
  SequenceList idle_;                                  // in slots, longest idle first
};

}  // namespace workbench
