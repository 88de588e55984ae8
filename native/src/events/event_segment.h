// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventSegment: a circular buffer of events between one writer and one gatherer; a link of an EventRing's
// chain. EventSegmentPool: where rings get segments from and hand them back to. Owned by EventLog; any thread
// may call it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "events/event.h"
#include "events/event_array.h"

namespace workbench {

struct EventSegment {
  explicit EventSegment(size_t segment_capacity)
      : capacity(segment_capacity), events(NewEventArray(segment_capacity)) {
    std::fill_n(events.get(), capacity, Event());  // touches the pages now, not on a request's way
  }

  const size_t capacity;  // a power of two
  const EventArray events;

  alignas(64) std::atomic<uint64_t> head{0};  // records ever written; stored by the writer
  std::atomic<EventSegment*> next{nullptr};   // the segment that follows; set once, after the last write
  alignas(64) std::atomic<uint64_t> tail{0};  // records ever gathered; stored by the gatherer
};

class EventSegmentPool {
 public:
  // Beyond byte_size_limit a ring gets no segment larger than first_capacity.
  EventSegmentPool(size_t first_capacity, size_t byte_size_limit)
      : first_capacity_(first_capacity), byte_size_limit_(byte_size_limit) {}

  // An empty segment, or null if the limit forbids it.
  std::unique_ptr<EventSegment> Take(size_t capacity) EXCLUDES(mutex_);
  void Return(std::unique_ptr<EventSegment> segment) EXCLUDES(mutex_);

  size_t first_capacity() const { return first_capacity_; }
  // Bytes of the segments that rings hold now.
  size_t taken_byte_size() const EXCLUDES(mutex_);

 private:
  // Constant.
  const size_t first_capacity_;
  const size_t byte_size_limit_;

  // Guarded.
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<EventSegment>> free_ GUARDED_BY(mutex_);  // all of first_capacity_
  size_t taken_byte_size_ GUARDED_BY(mutex_) = 0;
};

}  // namespace workbench
