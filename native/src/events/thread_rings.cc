// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/thread_rings.h"

#include <pthread.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace workbench {

struct ThreadRings::Table {
  struct Row {
    uint64_t log;
    std::shared_ptr<EventRing> ring;  // shared with the log: either may end first
  };
  std::vector<Row> rows;
};

// A key and not a thread_local destructor: it runs after those, so that events of theirs still find a ring.
ThreadRings::Table* ThreadRings::OfThisThread() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, &ThreadRings::EndThread);
    return made;
  }();
  auto* table = static_cast<Table*>(pthread_getspecific(key));
  if (table == nullptr) {
    table = std::make_unique<Table>().release();  // owned by the key
    pthread_setspecific(key, table);
  }
  return table;
}

void ThreadRings::EndThread(void* table) {
  last_ = {0, nullptr};
  std::unique_ptr<Table> owned(static_cast<Table*>(table));
  for (Table::Row& row : owned->rows) row.ring->Retire();
}

EventRing* ThreadRings::Find(uint64_t log) {
  for (Table::Row& row : OfThisThread()->rows) {
    if (row.log != log) continue;
    last_ = {log, row.ring.get()};
    return last_.ring;
  }
  return nullptr;
}

EventRing* ThreadRings::Add(uint64_t log, std::shared_ptr<EventRing> ring) {
  auto& rows = OfThisThread()->rows;
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](auto& row) { return row.ring->is_closed(); }),
             rows.end());
  rows.push_back({log, std::move(ring)});
  return Find(log);
}

}  // namespace workbench
