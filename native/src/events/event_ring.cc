// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_ring.h"

#include <utility>

namespace workbench {

EventRing::EventRing(size_t max_capacity, EventSegmentPool* pool)
    : max_capacity_(max_capacity), pool_(pool), first_(pool->Take(pool->first_capacity())) {
  UseSegment(first_.get());
}

EventRing::~EventRing() { Close(); }

void EventRing::UseSegment(EventSegment* segment) {
  last_ = segment;
  events_ = segment->events.get();
  mask_ = segment->capacity - 1;
  head_ = 0;
  checkpoint_ = segment->capacity / 2;
}

bool EventRing::MakeRoom(bool* is_filling) {
  const uint64_t capacity = last_->capacity;
  const uint64_t tail = last_->tail.load(std::memory_order_acquire);
  *is_filling = head_ - tail >= capacity / 2;
  checkpoint_ = tail + (*is_filling ? capacity : capacity / 2);
  if (head_ - tail < capacity || Grow()) return true;
  dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  return false;
}

bool EventRing::Grow() {
  if (last_->capacity >= max_capacity_) return false;
  std::unique_ptr<EventSegment> larger = pool_->Take(2 * last_->capacity);
  if (larger == nullptr) return false;
  EventSegment* const full = last_;
  UseSegment(larger.get());
  full->next.store(larger.release(), std::memory_order_release);
  return true;
}

uint64_t EventRing::TakeDropped() {
  const uint64_t dropped = dropped_.load(std::memory_order_acquire);
  return dropped - std::exchange(dropped_before_, dropped);
}

void EventRing::Close() {
  while (first_ != nullptr) {
    std::unique_ptr<EventSegment> next(first_->next.load(std::memory_order_acquire));
    pool_->Return(std::move(first_));
    first_ = std::move(next);
  }
  is_closed_.store(true, std::memory_order_release);
}

}  // namespace workbench
