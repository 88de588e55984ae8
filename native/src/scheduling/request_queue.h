// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RequestQueue: waiting entries in the order in which they are to go: by priority level, within a level those
// whose patience has ended last, then by arrival. Pure; borrows its entries; one caller at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "inference/queue_entry.h"
#include "scheduling/queue_policy.h"

namespace workbench {

class RequestQueue {
 public:
  explicit RequestQueue(QueueOptions options);

  // Whether the level of that priority (0: unset) holds as many as it may.
  bool IsFull(uint64_t priority) const;
  // REQUIRES: arrival_ns is set. True if the entry went to the end of the queue, behind all others.
  bool Insert(QueueEntry* entry, uint64_t priority, uint64_t timeout_ns);
  void Remove(QueueEntry* entry);
  // Takes out the entries that are rejected by now, moves those that are delayed. True if the order changed.
  bool Expire(uint64_t now_ns, std::vector<QueueEntry*>* rejected);

  QueueEntry* head() const { return head_; }
  size_t length() const { return length_; }
  // Levels at which anything ever waited, ascending; none where priorities are not told apart.
  std::vector<QueueLevel> levels() const;
  // When Expire has something to do; 0: never.
  uint64_t next_deadline_ns() const { return deadlines_.empty() ? 0 : deadlines_.begin()->first; }
  const QueueOptions& options() const { return options_; }

 private:
  // A level has two segments: those who are patient, and those who were delayed.
  struct Segment {
    QueueEntry* tail = nullptr;
    size_t length = 0;
    bool is_used = false;  // something was in it
  };

  uint32_t LevelOf(uint64_t priority) const;
  bool Link(QueueEntry* entry, uint32_t segment);
  void Unlink(QueueEntry* entry);

  const QueueOptions options_;
  std::vector<QueuePolicy> policies_;  // by level
  std::vector<Segment> segments_;
  QueueEntry* head_ = nullptr;
  size_t length_ = 0;
  std::set<std::pair<uint64_t, QueueEntry*>> deadlines_;  // of entries that have one
};

}  // namespace workbench
