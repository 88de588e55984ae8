// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RequestQueue: waiting entries in the order in which they are to go: by priority level, within a level those
// whose patience has ended last, then by arrival. Pure; borrows its entries; one caller at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "inference/queue_entry.h"
#include "scheduling/deadlines.h"
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
  uint64_t next_deadline_ns() const {
    const QueueEntry* const first = deadlines_.first();
    return first == nullptr ? 0 : first->deadline_ns;
  }
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
  Deadlines deadlines_;  // of entries that have one
};

// Inline: once for each request, of simulations that take 50 ns for one.
// Levels are numbered from 1; here from 0.
inline uint32_t RequestQueue::LevelOf(uint64_t priority) const {
  if (options_.priority_levels == 0) return 0;
  const bool is_known = priority >= 1 && priority <= options_.priority_levels;
  return (is_known ? static_cast<uint32_t>(priority) : std::max(1u, options_.default_priority_level)) - 1;
}

inline bool RequestQueue::IsFull(uint64_t priority) const {
  const uint32_t level = LevelOf(priority);
  const uint32_t limit = policies_[level].max_queue_size;
  return limit != 0 && segments_[size_t{2} * level].length + segments_[size_t{2} * level + 1].length >= limit;
}

inline bool RequestQueue::Insert(QueueEntry* entry, uint64_t priority, uint64_t timeout_ns) {
  const uint32_t level = LevelOf(priority);
  const uint64_t patience_ns = policies_[level].TimeoutOf(timeout_ns);
  entry->deadline_ns = patience_ns == 0 ? 0 : entry->arrival_ns + patience_ns;
  if (entry->deadline_ns != 0) deadlines_.Insert(entry);
  return Link(entry, 2 * level);
}

inline bool RequestQueue::Link(QueueEntry* entry, uint32_t segment) {
  QueueEntry* before = nullptr;
  for (uint32_t i = segment + 1; i-- > 0 && before == nullptr;) before = segments_[i].tail;
  entry->segment = segment;
  entry->previous = before;
  entry->next = before != nullptr ? before->next : head_;
  (before != nullptr ? before->next : head_) = entry;
  if (entry->next != nullptr) entry->next->previous = entry;
  segments_[segment].tail = entry;
  segments_[segment].is_used = true;
  ++segments_[segment].length;
  ++length_;
  return entry->next == nullptr;
}

inline void RequestQueue::Unlink(QueueEntry* entry) {
  Segment& segment = segments_[entry->segment];
  if (segment.tail == entry) {
    const bool is_shared = entry->previous != nullptr && entry->previous->segment == entry->segment;
    segment.tail = is_shared ? entry->previous : nullptr;
  }
  --segment.length;
  --length_;
  (entry->previous != nullptr ? entry->previous->next : head_) = entry->next;
  if (entry->next != nullptr) entry->next->previous = entry->previous;
}

inline void RequestQueue::Remove(QueueEntry* entry) {
  if (entry->deadline_ns != 0) deadlines_.Remove(entry);
  Unlink(entry);
}

}  // namespace workbench
