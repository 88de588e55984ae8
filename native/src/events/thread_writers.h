// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ThreadWriters: the writers of this thread, one for each log. The events floor's only thread-local data.
#pragma once

#include <cstdint>
#include <memory>

#include "events/event_writer.h"

namespace workbench {

class ThreadWriters {
 public:
  // The writer of the log that this thread appended to last, or null.
  static EventWriter* Last(uint64_t log) { return last_.log == log ? last_.writer : nullptr; }
  // The writer of any log, or null; becomes the last.
  static EventWriter* Find(uint64_t log);
  // Ends with the thread, or once the log has ended.
  static EventWriter* Add(uint64_t log, std::unique_ptr<EventWriter> writer);

 private:
  struct Entry {
    uint64_t log;  // logs are numbered from 1 and never share a number
    EventWriter* writer;
  };
  static inline thread_local Entry last_{0, nullptr};

  struct Table;
  static Table* OfThisThread();
  static void EndThread(void* table);
};

}  // namespace workbench
