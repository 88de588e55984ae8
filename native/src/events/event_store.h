// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventStore: the chunks of one log. A thread has one that is open, and exchanges it when it is full; that
// one's records are in the history then, where they lie. Readers hold chunks while they copy, outside the
// lock; a chunk is used again once nobody holds it. So the lock is held for bookkeeping alone, and no reader
// holds up a writer. Owned by EventLog and, while they call it, by the writers of its threads; any thread may
// call it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "events/event_chunk.h"
#include "events/event_history.h"

namespace workbench {

class EventStore {
 public:
  struct Range {
    uint64_t begin;  // number of the oldest record that is kept
    uint64_t end;    // number of the next event
  };
  struct Statistics {
    uint64_t appended = 0;   // and numbered so far
    size_t open_chunks = 0;  // of threads that append
    size_t chunks = 0;       // all that there are
  };

  // Keeps the last `capacity` records.
  EventStore(size_t capacity, size_t chunk_capacity) : chunk_capacity_(chunk_capacity), history_(capacity) {}

  // --- a thread that appends. Waits for memory (Patience).
  // A chunk with room. The store's; the thread alone appends to it, until it hands it back.
  EventChunk* Open() EXCLUDES(mutex_);
  EventChunk* Exchange(EventChunk* full) EXCLUDES(mutex_);
  // The thread ends. Whoever opens a chunk next goes on in this one.
  void Leave(EventChunk* chunk) EXCLUDES(mutex_);

  // --- a reader
  // Numbers all that was appended before the call.
  Range NumberAll() EXCLUDES(mutex_);
  // The records from number `first` to before `last`, as far as they are kept. They stay as they are until
  // they are unpinned.
  std::vector<EventRun> Pin(uint64_t first, uint64_t last) EXCLUDES(mutex_);
  void Unpin(std::vector<EventRun> runs) EXCLUDES(mutex_);

  Statistics statistics() const EXCLUDES(mutex_);

 private:
  using Chunk = std::shared_ptr<EventChunk>;  // see EventChunk for who holds it

  void Number(const Chunk& chunk) REQUIRES(mutex_);
  void NumberOpen() REQUIRES(mutex_);
  EventChunk* AddOpen(Chunk chunk) REQUIRES(mutex_);
  Chunk TakeOpen(EventChunk* chunk) REQUIRES(mutex_);
  Chunk TakeSpare() REQUIRES(mutex_);
  void LetGo(Chunk chunk) REQUIRES(mutex_);

  const size_t chunk_capacity_;

  // References to chunks come and go under the lock alone.
  mutable Mutex mutex_;
  EventHistory history_ GUARDED_BY(mutex_);
  uint64_t all_numbered_at_ GUARDED_BY(mutex_) = 0;  // what was the next number then
  std::vector<Chunk> open_ GUARDED_BY(mutex_);
  std::deque<Chunk> left_ GUARDED_BY(mutex_);    // with room, by threads that ended; the last one at the back
  std::vector<Chunk> empty_ GUARDED_BY(mutex_);  // held by nobody else
};

}  // namespace workbench
