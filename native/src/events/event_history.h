// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventHistory: which records a log keeps, the last ones, and their numbers. Every event has a number, kept
// or not, so a reader that follows the numbers knows exactly how many it missed. Records stay in the chunks
// that they were appended to. Owned by EventStore, whose lock guards it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "events/event_chunk.h"

namespace workbench {

// Records that follow each other in a chunk and in their numbers.
struct EventRun {
  uint64_t first_number;
  std::shared_ptr<EventChunk> chunk;  // with the others that EventChunk names
  size_t offset;
  size_t count;

  uint64_t end_number() const { return first_number + count; }
  const Event* begin() const { return chunk->records() + offset; }
  const Event* end() const { return begin() + count; }
};

class EventHistory {
 public:
  // Keeps the last `capacity` records.
  explicit EventHistory(size_t capacity) : capacity_(capacity) {}

  // Numbers what the chunk has got since.
  void Append(const std::shared_ptr<EventChunk>& chunk);
  // The chunk of the oldest run, which goes, once none of its records is kept; else null.
  std::shared_ptr<EventChunk> TakeExpired();

  // Numbers of the oldest record that is kept, and of the next event.
  uint64_t begin() const { return end_ > capacity_ ? end_ - capacity_ : 0; }
  uint64_t end() const { return end_; }
  // The records from number `first` to before `last`, as far as they are kept.
  std::vector<EventRun> Find(uint64_t first, uint64_t last) const;
  const std::deque<EventRun>& runs() const { return runs_; }

 private:
  const size_t capacity_;
  uint64_t end_ = 0;
  std::deque<EventRun> runs_;  // without gaps between their numbers
};

}  // namespace workbench
