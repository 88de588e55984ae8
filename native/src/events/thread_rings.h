// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ThreadRings: which rings this thread appends to, one for each log. The events floor's only thread-local
// data.
#pragma once

#include <cstdint>
#include <memory>

#include "events/event_ring.h"

namespace workbench {

class ThreadRings {
 public:
  // The ring of the log that this thread appended to last, or null.
  static EventRing* Last(uint64_t log) { return last_.log == log ? last_.ring : nullptr; }
  // The ring of any log, or null; becomes the last.
  static EventRing* Find(uint64_t log);
  // The ring is shared with its log; when the thread ends it is retired.
  static EventRing* Add(uint64_t log, std::shared_ptr<EventRing> ring);

 private:
  struct Entry {
    uint64_t log;  // logs are numbered from 1 and never share a number
    EventRing* ring;
  };
  static inline thread_local Entry last_{0, nullptr};

  struct Table;
  static Table* OfThisThread();
  static void EndThread(void* table);
};

}  // namespace workbench
