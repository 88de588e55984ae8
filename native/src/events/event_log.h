// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventLog: everything that happened, in one bounded, numbered log. Owned by the engine and its memory
// together; any thread may append or read.
//
// Append is one store into the calling thread's own chunk. Records stay where they were put; they get numbers
// when the chunk is full, when its thread ends, or when somebody reads, who so sees all that was appended
// before. Events of one thread keep their order; those of several are ordered as they were numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "events/event_sink.h"
#include "events/event_store.h"
#include "events/thread_writers.h"

namespace workbench {

class EventLog final : public EventSink {
 public:
  struct Options {
    size_t byte_size =
        size_t{64} << 20;  // of the log; records before the last byte_size / 64 are overwritten; 0: no log
    size_t chunk_capacity = 1024;  // records that a thread numbers at once; fewer where the log is small
  };
  struct ReadResult {
    uint64_t next_since = 0;  // where to go on
    uint64_t dropped = 0;     // events between `since` and next_since that were overwritten
  };
  using Statistics = EventStore::Statistics;

  explicit EventLog(const Options& options);
  // REQUIRES: no thread appends any more.
  ~EventLog() override = default;
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  void Append(const Event& event) override {
    if (__builtin_expect(store_ == nullptr, 0)) return;
    EventWriter* writer = ThreadWriters::Last(id_);
    if (__builtin_expect(writer == nullptr, 0)) writer = WriterOfThisThread();
    writer->Append(event);
  }

  // Appends to `out` at most `limit` records numbered `since` or later. No reader holds up a writer.
  ReadResult Read(uint64_t since, size_t limit, std::vector<Event>* out);

  Statistics statistics() const { return store_ ? store_->statistics() : Statistics(); }

 private:
  EventWriter* WriterOfThisThread();

  const uint64_t id_;
  const std::shared_ptr<EventStore> store_;  // shared with writers while they call it; null: there is no log
};

}  // namespace workbench
