// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EntryList: waiting entries, first come first out, linked through themselves. Borrows them; one caller at a
// time.
#pragma once

#include <cstddef>

#include "inference/queue_entry.h"

namespace workbench {

class EntryList {
 public:
  QueueEntry* front() const { return front_; }
  bool empty() const { return front_ == nullptr; }
  size_t length() const { return length_; }

  void Append(QueueEntry* entry) {
    entry->next = nullptr;
    (back_ != nullptr ? back_->next : front_) = entry;
    back_ = entry;
    ++length_;
  }
  // REQUIRES: !empty().
  QueueEntry* TakeFront() {
    QueueEntry* const entry = front_;
    front_ = entry->next;
    if (front_ == nullptr) back_ = nullptr;
    entry->next = nullptr;
    --length_;
    return entry;
  }
  void TakeAllOf(EntryList* other) {
    while (!other->empty()) Append(other->TakeFront());
  }

 private:
  QueueEntry* front_ = nullptr;
  QueueEntry* back_ = nullptr;
  size_t length_ = 0;
};

}  // namespace workbench
