// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryEvents: says what happens in one pool, in the event log's terms. Owned by the engine, shared by the
// resources that make up the pool. A fallback is a warning in the log besides. Any thread may call it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "events/event_sink.h"
#include "memory/memory_owner.h"

namespace workbench {

class MemoryEvents {
 public:
  struct Options {
    std::string name;            // of the pool, in warnings; empty: none are written
    size_t least_byte_size = 0;  // smaller allocations are not told one by one
  };
  // Pools are numbered by the engine.
  MemoryEvents(uint8_t pool, EventSink& sink, const Clock& clock)
      : MemoryEvents(pool, sink, clock, Options()) {}
  MemoryEvents(uint8_t pool, EventSink& sink, const Clock& clock, Options options)
      : pool_(pool), options_(std::move(options)), sink_(sink), clock_(clock) {}

  void Allocated(MemoryTag owner, const void* bytes, size_t byte_size, size_t live_byte_size);
  void Freed(MemoryTag owner, const void* bytes, size_t byte_size, size_t live_byte_size);
  void AllocationFailed(MemoryTag owner, size_t byte_size, StatusCode reason);
  // Another pool served what this one could not, and why.
  void FellBack(MemoryTag owner, const void* bytes, size_t byte_size, const Status& reason);
  void Grown(const void* slab, size_t byte_size, size_t reserved_byte_size);
  void Shrunk(const void* slab, size_t byte_size, size_t reserved_byte_size);

 private:
  struct Fact {
    EventKind kind;
    MemoryTag owner;
    const void* bytes = nullptr;
    size_t byte_size = 0;
    StatusCode status = StatusCode::kOk;
  };
  void Append(const Fact& fact);
  void Warn(size_t byte_size, const Status& reason);

  // Constant.
  const uint8_t pool_;
  const Options options_;
  EventSink& sink_;
  const Clock& clock_;

  // Self-synchronised: the pool's figures as last told, for the events that do not bring their own.
  std::atomic<size_t> live_byte_size_{0};
  std::atomic<size_t> reserved_byte_size_{0};
  std::atomic<uint64_t> fallbacks_{0};
};

}  // namespace workbench
