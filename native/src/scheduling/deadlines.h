// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Deadlines: waiting entries by when their patience ends. Those that come in that order, as all do where
// everybody waits for equally long, are a queue and cost next to nothing where they leave in it, too; any
// others are a tree. Pure; borrows its entries; one caller at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>

#include "inference/queue_entry.h"

namespace workbench {

class Deadlines {
 public:
  // REQUIRES: entry->deadline_ns is set, and stays until Remove.
  void Insert(QueueEntry* entry) {
    if (in_order_.empty() || entry->deadline_ns >= in_order_.back().first) {
      in_order_.emplace_back(entry->deadline_ns, entry);
    } else {
      others_.insert({entry->deadline_ns, entry});
    }
  }

  void Remove(QueueEntry* entry) {
    if (!in_order_.empty() && in_order_.front().second == entry) return RemoveFirst();
    for (auto due = std::lower_bound(in_order_.begin(), in_order_.end(), Due(entry->deadline_ns, nullptr));
         due != in_order_.end() && due->first == entry->deadline_ns; ++due) {
      if (due->second != entry) continue;
      due->second = nullptr;  // its place goes with those before it
      return;
    }
    others_.erase({entry->deadline_ns, entry});
  }

  // The entry whose patience ends first, or null.
  QueueEntry* first() const {
    QueueEntry* const head = in_order_.empty() ? nullptr : in_order_.front().second;
    if (others_.empty()) return head;
    QueueEntry* const other = others_.begin()->second;
    return head != nullptr && head->deadline_ns <= other->deadline_ns ? head : other;
  }

 private:
  using Due = std::pair<uint64_t, QueueEntry*>;

  void RemoveFirst() {
    do {
      in_order_.pop_front();
    } while (!in_order_.empty() && in_order_.front().second == nullptr);
  }

  std::deque<Due> in_order_;  // null: it left before those ahead of it; never so at the front
  std::set<Due> others_;
};

}  // namespace workbench
