// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventWriter: one thread's way into one log: the chunk that it appends to. Owned and called by its thread;
// the log may end before it, and it before the log.
#pragma once

#include <memory>

#include "events/event_chunk.h"
#include "events/event_store.h"

namespace workbench {

class EventWriter {
 public:
  explicit EventWriter(const std::shared_ptr<EventStore>& store) : store_(store), chunk_(store->Open()) {}
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  // REQUIRES: the log has not ended.
  void Append(const Event& event) {
    if (__builtin_expect(chunk_->is_full(), 0)) Exchange();
    chunk_->Append(event);
  }
  // The log has ended.
  bool is_closed() const { return store_.expired(); }

 private:
  void Exchange();

  const std::weak_ptr<EventStore> store_;  // the log's
  EventChunk* chunk_;                      // the store's
};

}  // namespace workbench
