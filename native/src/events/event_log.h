// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventLog: everything that happened, in one bounded, numbered log. Owned by the engine; any thread may
// append or read.
//
// Append is one store into the calling thread's own ring. One worker gathers the rings into the log when one
// of them is half full; a reader gathers too, so it sees all that was appended before it asked, and a quiet
// server costs nothing. Events of one thread keep their order; those of several are ordered as they were
// gathered.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/worker.h"
#include "events/event_history.h"
#include "events/event_ring.h"
#include "events/event_sink.h"
#include "events/thread_rings.h"

namespace workbench {

class EventLog final : public EventSink {
 public:
  struct Options {
    size_t byte_size =
        size_t{64} << 20;  // of the log; records before the last byte_size / 64 are overwritten; 0: no log
    size_t ring_capacity = 1024;                  // records of a thread's ring at first; a power of two
    size_t max_ring_capacity = size_t{32} << 10;  // how far one ring grows
    size_t rings_byte_size = size_t{64} << 20;    // beyond this, all rings together, none grows
  };
  struct ReadResult {
    uint64_t next_since = 0;  // where to go on
    uint64_t dropped = 0;     // events between `since` and next_since that are lost
  };
  struct Statistics {
    uint64_t appended = 0;  // gathered so far, and lost
    uint64_t dropped = 0;   // lost because a ring was full
    size_t rings = 0;
    size_t rings_byte_size = 0;
  };

  // UNAVAILABLE where no thread can be started.
  static Result<std::unique_ptr<EventLog>> Create(const Options& options);
  // REQUIRES: no thread appends any more.
  ~EventLog() override;

  void Append(const Event& event) override {
    if (__builtin_expect(options_.byte_size == 0, 0)) return;
    EventRing* ring = ThreadRings::Last(id_);
    if (__builtin_expect(ring == nullptr, 0)) ring = RingOfThisThread();
    if (__builtin_expect(ring->Push(event), 0)) AskForGathering();
  }

  // Appends to `out` at most `limit` records numbered `since` or later. No reader holds up a writer.
  ReadResult Read(uint64_t since, size_t limit, std::vector<Event>* out) EXCLUDES(mutex_);

  Statistics statistics() const EXCLUDES(mutex_);

 private:
  explicit EventLog(const Options& options);

  EventRing* RingOfThisThread();
  void AskForGathering();
  void RunWorker() EXCLUDES(mutex_);
  void Gather() REQUIRES(mutex_);
  void GatherRing(EventRing* ring) REQUIRES(mutex_);

  // Constant.
  const uint64_t id_;
  const Options options_;

  // Self-synchronised.
  EventSegmentPool pool_;
  sem_t wake_;
  std::atomic<bool> is_asked_{false};  // a wake-up is on its way
  std::atomic<bool> is_stopping_{false};

  // Guarded. New rings have their own lock, so that a thread's first event need not wait for a gathering.
  Mutex new_rings_mutex_;
  std::vector<std::shared_ptr<EventRing>> new_rings_ GUARDED_BY(new_rings_mutex_);
  mutable Mutex mutex_;
  std::vector<std::shared_ptr<EventRing>> rings_ GUARDED_BY(mutex_);
  EventHistory history_ GUARDED_BY(mutex_);
  uint64_t dropped_ GUARDED_BY(mutex_) = 0;

  Worker worker_;
};

}  // namespace workbench
