// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryEvents: says what happens in one pool, in the event log's terms. Owned by the engine, shared by the
// resources that make up the pool. Any thread may call it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/status.h"
#include "events/event_sink.h"

namespace workbench {

class MemoryEvents {
 public:
  // Pools are numbered by the engine.
  MemoryEvents(uint8_t pool, EventSink& sink, const Clock& clock) : pool_(pool), sink_(sink), clock_(clock) {}

  void Allocated(uint16_t owner, const void* bytes, size_t byte_size, size_t live_byte_size);
  void Freed(uint16_t owner, const void* bytes, size_t byte_size, size_t live_byte_size);
  void AllocationFailed(uint16_t owner, size_t byte_size, StatusCode reason);
  // Another pool served what this one could not.
  void FellBack(uint16_t owner, const void* bytes, size_t byte_size);
  void Grown(const void* slab, size_t byte_size, size_t reserved_byte_size);
  void Shrunk(const void* slab, size_t byte_size, size_t reserved_byte_size);

 private:
  struct Fact {
    EventKind kind;
    uint16_t owner = 0;
    const void* bytes = nullptr;
    size_t byte_size = 0;
    StatusCode status = StatusCode::kOk;
  };
  void Append(const Fact& fact);

  // Constant.
  const uint8_t pool_;
  EventSink& sink_;
  const Clock& clock_;

  // Self-synchronised: the pool's figures as last told, for the events that do not bring their own.
  std::atomic<size_t> live_byte_size_{0};
  std::atomic<size_t> reserved_byte_size_{0};
};

}  // namespace workbench
