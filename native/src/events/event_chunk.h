// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventChunk: room for a fixed number of records, filled from the front. One thread at a time appends; what
// is below the head never changes, so others read it meanwhile. Shared by its store, by the runs of its
// history and by readers; the store's lock guards who holds it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "events/event.h"

namespace workbench {

// A log is larger than the caches: a write to a line that is in none of them waits for memory.
inline void PrefetchForWriting(const void* address) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" ::"m"(*static_cast<const char*>(address)));  // else the compiler asks to read
#else
  __builtin_prefetch(address, 1);
#endif
}

class alignas(64) EventChunk {
 public:
  // Pages that are never written cost nothing.
  explicit EventChunk(size_t capacity);
  ~EventChunk();
  EventChunk(const EventChunk&) = delete;
  EventChunk& operator=(const EventChunk&) = delete;

  // REQUIRES: it is not full; the one thread that appends calls this.
  void Append(const Event& event) {
    const size_t head = head_.load(std::memory_order_relaxed);
    records_[head] = event;
    PrefetchForWriting(&records_[std::min(head + kPrefetchDistance, capacity_ - 1)]);
    head_.store(head + 1, std::memory_order_release);
  }
  bool is_full() const { return head_.load(std::memory_order_relaxed) == capacity_; }

  // How many records there are; those are read by any thread.
  size_t head() const { return head_.load(std::memory_order_acquire); }
  const Event* records() const { return records_; }

  // Of the records, how many have a number. For EventHistory, under the lock of its owner.
  size_t numbered() const { return numbered_; }
  void set_numbered(size_t count) { numbered_ = count; }

  // Forgets all records. REQUIRES: nobody appends, and nobody reads.
  void Clear();

 private:
  static constexpr size_t kPrefetchDistance = 8;  // in records

  const size_t capacity_;
  Event* const records_;
  std::atomic<size_t> head_{0};
  size_t numbered_ = 0;
};

}  // namespace workbench
