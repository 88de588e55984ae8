// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_segment.h"

#include <utility>

namespace workbench {
namespace {

size_t ByteSize(size_t capacity) { return capacity * sizeof(Event); }

}  // namespace

std::unique_ptr<EventSegment> EventSegmentPool::Take(size_t capacity) {
  {
    MutexLock lock(&mutex_);
    const bool is_first = capacity <= first_capacity_;
    if (!is_first && taken_byte_size_ + ByteSize(capacity) > byte_size_limit_) return nullptr;
    taken_byte_size_ += ByteSize(capacity);
    if (is_first && !free_.empty()) {
      auto segment = std::move(free_.back());
      free_.pop_back();
      return segment;
    }
  }
  return std::make_unique<EventSegment>(capacity);
}

void EventSegmentPool::Return(std::unique_ptr<EventSegment> segment) {
  // Grown ones are rare and large: they go back to the system.
  const bool is_kept = segment->capacity == first_capacity_;
  segment->head.store(0, std::memory_order_relaxed);
  segment->tail.store(0, std::memory_order_relaxed);
  segment->next.store(nullptr, std::memory_order_relaxed);
  MutexLock lock(&mutex_);
  taken_byte_size_ -= ByteSize(segment->capacity);
  if (is_kept) free_.push_back(std::move(segment));
}

size_t EventSegmentPool::taken_byte_size() const {
  MutexLock lock(&mutex_);
  return taken_byte_size_;
}

}  // namespace workbench
