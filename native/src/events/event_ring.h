// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventRing: the events of one thread on their way to one log. It starts small; a writer that finds it full
// links a segment of twice the size and goes on there, up to a limit, beyond which events are lost and
// counted. Owned by its log and its thread together; the thread pushes, the log's gatherer drains.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "events/event.h"
#include "events/event_segment.h"

namespace workbench {

// The gatherer has read the record's line on another core, so a write to it would wait for that core.
inline void PrefetchForWriting(const void* address) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" ::"m"(*static_cast<const char*>(address)));  // else the compiler asks to read
#else
  __builtin_prefetch(address, 1);
#endif
}

class EventRing {
 public:
  EventRing(size_t max_capacity, EventSegmentPool* pool);
  ~EventRing();
  EventRing(const EventRing&) = delete;
  EventRing& operator=(const EventRing&) = delete;

  // The writer's side. Returns whether the ring fills up and should be gathered soon.
  bool Push(const Event& event) {
    bool is_filling = false;
    if (__builtin_expect(head_ == checkpoint_, 0) && !MakeRoom(&is_filling)) return true;
    events_[head_ & mask_] = event;
    ++head_;
    PrefetchForWriting(&events_[(head_ + kPrefetchDistance) & mask_]);
    last_->head.store(head_, std::memory_order_release);
    return is_filling;
  }
  // The thread ends: nothing more will be pushed.
  void Retire() { is_retired_.store(true, std::memory_order_release); }
  bool is_closed() const { return is_closed_.load(std::memory_order_acquire); }

  // The gatherer's side. Calls visit(const Event*, size_t) for each run of records, oldest first.
  template <typename Visit>
  void Drain(Visit visit);
  // Records lost since the last call.
  uint64_t TakeDropped();
  bool is_retired() const { return is_retired_.load(std::memory_order_acquire); }
  // The log ends, or has all of a retired ring: the segments go back to the pool. REQUIRES: no Push from now
  // on.
  void Close();

 private:
  static constexpr uint64_t kPrefetchDistance = 8;  // in records

  // At a checkpoint: looks how far the gatherer is. False: there is no room, the record is lost.
  bool MakeRoom(bool* is_filling);
  bool Grow();
  void UseSegment(EventSegment* segment);
  template <typename Visit>
  static void DrainSegment(EventSegment* segment, Visit& visit);

  // Constant.
  const size_t max_capacity_;
  EventSegmentPool* const pool_;

  // The writer's own. The checkpoint is where the ring would be half full, or full, had nothing been
  // gathered.
  alignas(64) Event* events_ = nullptr;
  EventSegment* last_ = nullptr;
  uint64_t mask_ = 0;
  uint64_t head_ = 0;
  uint64_t checkpoint_ = 0;

  // The gatherer's own.
  alignas(64) std::unique_ptr<EventSegment> first_;
  uint64_t dropped_before_ = 0;

  // Self-synchronised.
  alignas(64) std::atomic<uint64_t> dropped_{0};
  std::atomic<bool> is_retired_{false};
  std::atomic<bool> is_closed_{false};
};

template <typename Visit>
void EventRing::DrainSegment(EventSegment* segment, Visit& visit) {
  uint64_t tail = segment->tail.load(std::memory_order_relaxed);
  const uint64_t head = segment->head.load(std::memory_order_acquire);
  while (tail != head) {
    const uint64_t offset = tail & (segment->capacity - 1);
    const uint64_t count = std::min<uint64_t>(head - tail, segment->capacity - offset);
    visit(static_cast<const Event*>(&segment->events[offset]), static_cast<size_t>(count));
    tail += count;
  }
  segment->tail.store(tail, std::memory_order_release);
}

template <typename Visit>
void EventRing::Drain(Visit visit) {
  for (;;) {
    // Read before the head: a writer that has linked the next segment writes no more to this one.
    EventSegment* next = first_->next.load(std::memory_order_acquire);
    DrainSegment(first_.get(), visit);
    if (next == nullptr) return;
    pool_->Return(std::move(first_));
    first_.reset(next);
  }
}

}  // namespace workbench
