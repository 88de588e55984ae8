// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_events.h"

#include <algorithm>

namespace workbench {

void MemoryEvents::Append(const Fact& fact) {
  Event event;
  event.kind = fact.kind;
  event.arrival_ns = clock_.NowNs();
  event.start_ns = fact.byte_size;
  event.compute_start_ns = reinterpret_cast<uintptr_t>(fact.bytes);
  event.compute_end_ns = live_byte_size_.load(std::memory_order_relaxed);
  // What does not grow by slabs reserves exactly what is in use.
  event.end_ns =
      std::max<uint64_t>(reserved_byte_size_.load(std::memory_order_relaxed), event.compute_end_ns);
  event.model = fact.owner;
  event.instance = pool_;
  event.status = static_cast<uint8_t>(fact.status);
  sink_.Append(event);
}

void MemoryEvents::Allocated(uint16_t owner, const void* bytes, size_t byte_size, size_t live_byte_size) {
  live_byte_size_.store(live_byte_size, std::memory_order_relaxed);
  Append({EventKind::kAllocated, owner, bytes, byte_size});
}

void MemoryEvents::Freed(uint16_t owner, const void* bytes, size_t byte_size, size_t live_byte_size) {
  live_byte_size_.store(live_byte_size, std::memory_order_relaxed);
  Append({EventKind::kFreed, owner, bytes, byte_size});
}

void MemoryEvents::AllocationFailed(uint16_t owner, size_t byte_size, StatusCode reason) {
  Append({EventKind::kAllocationFailed, owner, nullptr, byte_size, reason});
}

void MemoryEvents::FellBack(uint16_t owner, const void* bytes, size_t byte_size) {
  Append({EventKind::kFallback, owner, bytes, byte_size});
}

void MemoryEvents::Grown(const void* slab, size_t byte_size, size_t reserved_byte_size) {
  reserved_byte_size_.store(reserved_byte_size, std::memory_order_relaxed);
  Append({EventKind::kPoolGrown, 0, slab, byte_size});
}

void MemoryEvents::Shrunk(const void* slab, size_t byte_size, size_t reserved_byte_size) {
  reserved_byte_size_.store(reserved_byte_size, std::memory_order_relaxed);
  Append({EventKind::kPoolShrunk, 0, slab, byte_size});
}

}  // namespace workbench
