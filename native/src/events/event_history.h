// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventHistory: the last records of a log, numbered. Every event has a number, kept or lost, so a reader that
// follows the numbers knows exactly how many it missed. Owned by EventLog, whose lock guards it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "events/event.h"
#include "events/event_array.h"

namespace workbench {

class EventHistory {
 public:
  // Keeps the last `capacity` records. The memory is reserved now and used as it fills.
  explicit EventHistory(size_t capacity);

  void Append(const Event* events, size_t count);
  // Numbers `count` events that were lost.
  void Skip(uint64_t count);
  // The number of the next event.
  uint64_t end() const;

  // Appends to `out` up to `limit` records whose number is `since` or greater; returns the number to go on
  // from.
  uint64_t Read(uint64_t since, size_t limit, std::vector<Event>* out) const;

 private:
  // Records numbered without a gap: the record at position p has number first_number + (p - first_position).
  struct Run {
    uint64_t first_number;
    uint64_t first_position;
  };

  uint64_t first_position() const { return end_position_ > capacity_ ? end_position_ - capacity_ : 0; }
  uint64_t RunEnd(size_t run) const;
  void ForgetOldRuns();
  void Copy(uint64_t position, size_t count, std::vector<Event>* out) const;

  const size_t capacity_;
  const EventArray records_;   // the record at position p lies at p % capacity_
  uint64_t end_position_ = 0;  // records ever appended
  std::deque<Run> runs_{{0, 0}};
};

}  // namespace workbench
