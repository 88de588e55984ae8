// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/request_queue.h"

#include <algorithm>

namespace workbench {

RequestQueue::RequestQueue(QueueOptions options)
    : options_(std::move(options)),
      policies_(std::max(1u, options_.priority_levels), options_.default_policy),
      segments_(size_t{2} * policies_.size()) {
  for (const auto& [level, policy] : options_.level_policies) {
    if (level >= 1 && level <= policies_.size()) policies_[level - 1] = policy;
  }
}

// Levels are numbered from 1; here from 0.
uint32_t RequestQueue::LevelOf(uint64_t priority) const {
  if (options_.priority_levels == 0) return 0;
  const bool is_known = priority >= 1 && priority <= options_.priority_levels;
  return (is_known ? static_cast<uint32_t>(priority) : std::max(1u, options_.default_priority_level)) - 1;
}

bool RequestQueue::IsFull(uint64_t priority) const {
  const uint32_t level = LevelOf(priority);
  const uint32_t limit = policies_[level].max_queue_size;
  return limit != 0 && segments_[size_t{2} * level].length + segments_[size_t{2} * level + 1].length >= limit;
}

bool RequestQueue::Insert(QueueEntry* entry, uint64_t priority, uint64_t timeout_ns) {
  const uint32_t level = LevelOf(priority);
  const uint64_t patience_ns = policies_[level].TimeoutOf(timeout_ns);
  entry->deadline_ns = patience_ns == 0 ? 0 : entry->arrival_ns + patience_ns;
  if (entry->deadline_ns != 0) deadlines_.insert({entry->deadline_ns, entry});
  return Link(entry, 2 * level);
}

bool RequestQueue::Link(QueueEntry* entry, uint32_t segment) {
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

void RequestQueue::Unlink(QueueEntry* entry) {
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

std::vector<QueueLevel> RequestQueue::levels() const {
  std::vector<QueueLevel> found;
  if (options_.priority_levels == 0) return found;
  for (uint32_t level = 0; level < policies_.size(); ++level) {
    const Segment& patient = segments_[size_t{2} * level];
    const Segment& delayed = segments_[size_t{2} * level + 1];
    if (patient.is_used) found.push_back({level + 1, patient.length + delayed.length});
  }
  return found;
}

void RequestQueue::Remove(QueueEntry* entry) {
  if (entry->deadline_ns != 0) deadlines_.erase({entry->deadline_ns, entry});
  Unlink(entry);
}

bool RequestQueue::Expire(uint64_t now_ns, std::vector<QueueEntry*>* rejected) {
  bool has_changed = false;
  while (!deadlines_.empty() && deadlines_.begin()->first <= now_ns) {
    QueueEntry* const entry = deadlines_.begin()->second;
    const uint32_t level = entry->segment / 2;
    Remove(entry);
    entry->deadline_ns = 0;
    if (policies_[level].timeout_action == TimeoutAction::kReject) {
      rejected->push_back(entry);
    } else {
      Link(entry, 2 * level + 1);
    }
    has_changed = true;
  }
  return has_changed;
}

}  // namespace workbench
