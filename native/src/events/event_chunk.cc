// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_chunk.h"

#include <sys/mman.h>

#include <new>

namespace workbench {
namespace {

// Pages of their own: from a heap of the C library, what ended logs leave would lie between what goes on, and
// not go back to the system. Waits for memory, or throws, as `operator new` does.
Event* MapRecords(size_t capacity) {
  for (;;) {
    void* const mapped =
        mmap(nullptr, capacity * sizeof(Event), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped != MAP_FAILED) return static_cast<Event*>(mapped);
    const std::new_handler make_room = std::get_new_handler();
    if (make_room == nullptr) throw std::bad_alloc();
    make_room();
  }
}

}  // namespace

EventChunk::EventChunk(size_t capacity) : capacity_(capacity), records_(MapRecords(capacity)) {}

EventChunk::~EventChunk() { munmap(records_, capacity_ * sizeof(Event)); }

void EventChunk::Clear() {
  head_.store(0, std::memory_order_relaxed);
  numbered_ = 0;
}

}  // namespace workbench
