// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Sequence: requests that belong together, from START to END, and where they are served. Owned by
// SequenceSlots, whose caller's lock guards it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "inference/sequence_state.h"
#include "scheduling/sequence/entry_list.h"

namespace workbench {

// What a sender calls a sequence: a number that is not 0, or a text that is not empty.
struct SequenceId {
  uint64_t number = 0;
  std::string_view text;

  bool is_none() const { return number == 0 && text.empty(); }
};

struct Sequence {
  enum class Place : uint8_t { kNowhere, kSlot, kBacklog };

  SequenceId id() const { return {number, text}; }
  // Its last request has come and none waits or runs.
  bool has_ended() const { return !is_open && waiting.empty() && running == 0; }

  uint64_t number = 0;
  std::string text;
  EntryList waiting;
  uint32_t running = 0;   // requests that left `waiting` and are not done
  uint32_t begun = 0;     // requests that ever left `waiting`
  bool is_open = false;   // its id leads here: END has not come
  bool is_ready = false;  // it is among those that its instance may take from, see DirectBatcher
  Place place = Place::kNowhere;
  uint32_t instance = 0;  // of its slot
  uint32_t slot = 0;
  uint64_t slot_since_ns = 0;  // when it got its slot; 0: it has none yet
  uint64_t done_ns = 0;        // when its last request was done; 0: none is
  uint64_t idle_since_ns = 0;  // 0: it is not idle
  uint64_t patience_ns = 0;    // when it is rejected if it is in the backlog still; 0: never

  // What goes with each of its requests, kept by the scheduler.
  RequestInput id_input;  // reads `number` or `id_bytes`; its spec is null until it is made
  std::string id_bytes;
  SequenceStates* states = nullptr;

  // Kept by the lists and the table that it is in.
  Sequence* previous = nullptr;
  Sequence* next = nullptr;
  Sequence* next_in_bucket = nullptr;
};

}  // namespace workbench
