// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/thread_writers.h"

#include <pthread.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace workbench {

struct ThreadWriters::Table {
  struct Row {
    uint64_t log;
    std::unique_ptr<EventWriter> writer;
  };
  std::vector<Row> rows;
};

// A key and not a thread_local destructor: it runs after those, so that events of theirs still find a writer.
ThreadWriters::Table* ThreadWriters::OfThisThread() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, &ThreadWriters::EndThread);
    return made;
  }();
  auto* table = static_cast<Table*>(pthread_getspecific(key));
  if (table == nullptr) {
    table = std::make_unique<Table>().release();  // owned by the key
    pthread_setspecific(key, table);
  }
  return table;
}

void ThreadWriters::EndThread(void* table) {
  last_ = {0, nullptr};
  const std::unique_ptr<Table> owned(static_cast<Table*>(table));
}

EventWriter* ThreadWriters::Find(uint64_t log) {
  for (Table::Row& row : OfThisThread()->rows) {
    if (row.log != log) continue;
    last_ = {log, row.writer.get()};
    return last_.writer;
  }
  return nullptr;
}

EventWriter* ThreadWriters::Add(uint64_t log, std::unique_ptr<EventWriter> writer) {
  auto& rows = OfThisThread()->rows;
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](auto& row) { return row.writer->is_closed(); }),
             rows.end());
  rows.push_back({log, std::move(writer)});
  return Find(log);
}

}  // namespace workbench
