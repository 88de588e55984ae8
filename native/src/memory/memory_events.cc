// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_events.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "base/patience.h"

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
  event.model = fact.owner.model;
  event.count = fact.owner.instance;
  event.rows = fact.owner.tensor;
  event.instance = pool_;
  event.status = static_cast<uint8_t>(fact.status);
  sink_.Append(event);
}

void MemoryEvents::Allocated(MemoryTag owner, const void* bytes, size_t byte_size, size_t live_byte_size) {
  live_byte_size_.store(live_byte_size, std::memory_order_relaxed);
  if (byte_size >= options_.least_byte_size) Append({EventKind::kAllocated, owner, bytes, byte_size});
}

void MemoryEvents::Freed(MemoryTag owner, const void* bytes, size_t byte_size, size_t live_byte_size) {
  live_byte_size_.store(live_byte_size, std::memory_order_relaxed);
  if (byte_size >= options_.least_byte_size) Append({EventKind::kFreed, owner, bytes, byte_size});
}

void MemoryEvents::AllocationFailed(MemoryTag owner, size_t byte_size, StatusCode reason) {
  Append({EventKind::kAllocationFailed, owner, nullptr, byte_size, reason});
}

void MemoryEvents::FellBack(MemoryTag owner, const void* bytes, size_t byte_size, const Status& reason) {
  Append({EventKind::kFallback, owner, bytes, byte_size, reason.code()});
  const uint64_t count = fallbacks_.fetch_add(1, std::memory_order_relaxed) + 1;
  const bool is_power_of_two = (count & (count - 1)) == 0;  // a log that is full of one thing tells nothing
  if (is_power_of_two && !options_.name.empty()) Warn(byte_size, reason);
}

void MemoryEvents::Warn(size_t byte_size, const Status& reason) {
  if (!Log::Process().is_enabled(LogLevel::kWarning)) return;
  const Patience patience;  // for the words
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.time_ns = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch() /
                                         std::chrono::nanoseconds(1));
  record.file = "memory";
  record.message = options_.name + " could not give " + std::to_string(byte_size) +
                   " bytes, other memory was given (" + std::to_string(fallbacks_.load()) +
                   " times so far): " + reason.message();
  Log::Process().Write(std::move(record));
}

void MemoryEvents::Grown(const void* slab, size_t byte_size, size_t reserved_byte_size) {
  reserved_byte_size_.store(reserved_byte_size, std::memory_order_relaxed);
  Append({EventKind::kPoolGrown, {}, slab, byte_size});
}

void MemoryEvents::Shrunk(const void* slab, size_t byte_size, size_t reserved_byte_size) {
  reserved_byte_size_.store(reserved_byte_size, std::memory_order_relaxed);
  Append({EventKind::kPoolShrunk, {}, slab, byte_size});
}

}  // namespace workbench
