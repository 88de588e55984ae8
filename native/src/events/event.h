// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Event: one fact of the core's life, 64 bytes, copied as it is into numpy (workbench/events/event.py has the
// twin).
#pragma once

#include <cstdint>

namespace workbench {

enum class EventKind : uint8_t {
  kRequest = 1,  // a request was executed, or failed while it was
  kRefused = 2,  // a request never reached a backend: rejected, timed out or cancelled in the queue
  kBatch =
      3,  // an execution of two requests or more ended (one of a single request is in its request's event)
  kAllocated = 4,
  kFreed = 5,
  kPoolGrown = 6,
  kPoolShrunk = 7,
  kFallback = 8,  // a resource was exhausted, another served
  kAllocationFailed = 9,
  kModelState = 10,
  kStep = 11,          // an ensemble sent a request to one of its steps
  kSequence = 12,      // a request of a sequence left its slot, to be executed
  kSequenceName = 13,  // a part of the text that a sequence is called by
};

// Why a batch left the queue. The list is closed; values are kept in recordings.
enum class BatchReason : uint8_t {
  kNone = 0,
  kDirect = 1,
  kFull = 2,
  kPreferred = 3,
  kDelayExpired = 4,
  kInstanceFree = 5,
  kShapeMismatch = 6,
  kCustom = 7,
  kSequence = 8,
  kShutdown = 9,
  kCached = 10,  // no batch at all: answered out of the response cache
};
// Whoever counts by reason sizes tables by it.
inline constexpr BatchReason kLastBatchReason = BatchReason::kCached;

// What `detail` of a request of a sequence tells: bits.
enum class SequenceFlag : uint8_t {
  kStart = 1,
  kEnd = 2,
  kText = 4,   // the sequence is called by a text, and start_ns holds the text's hash
  kOwnId = 8,  // the sender gave no id: the request is a sequence of its own
};

enum class ModelState : uint8_t { kUnknown = 0, kLoading = 1, kReady = 2, kUnloading = 3, kUnavailable = 4 };

// All times are nanoseconds of the steady clock. Field use by kind:
//   request, refused: arrival_ns, start_ns (execution), compute_start_ns, compute_end_ns, end_ns; id = serial
//   number of the
//       request; batch = serial number of its execution on that instance; count = requests of that execution;
//       rows = batch rows of the request; detail = BatchReason; status = StatusCode
//   batch: arrival_ns = of its oldest request, start_ns, compute_start_ns, compute_end_ns, end_ns; id = 0;
//   batch as above;
//       count = requests; rows = rows of the whole batch; detail = BatchReason
//   memory: arrival_ns = when; start_ns = bytes; compute_start_ns = address; compute_end_ns = live bytes of
//   the pool after;
//       end_ns = reserved bytes of the pool after; model = owner or 0; instance = pool number
//   model state: arrival_ns = when; detail = ModelState
//   step: arrival_ns = of the step's request; id = serial number of that; start_ns = serial number of the
//       ensemble's request; model = the ensemble; instance = number of the step. The ensemble's own request
//       has count = 0: no instance executes it; nor one that is answered out of the response cache
//   sequence: arrival_ns = of the request; start_ns = correlation id, or the hash of its text;
//   compute_start_ns = when the
//       sequence got its slot; compute_end_ns = when its request before was done, 0 = there was none; end_ns
//       = the latest of the three: from then on it waited for its batch; id = serial number of the request;
//       batch = its place in the sequence, from 0; rows = slot; model; instance; detail = bits of
//       SequenceFlag
//   sequence name: arrival_ns = when; id = the text's hash; rows = where in the text this part begins; count
//   =
//       bytes of the whole text; start_ns to end_ns = 32 bytes of it
struct Event {
  uint64_t arrival_ns = 0;
  uint64_t start_ns = 0;
  uint64_t compute_start_ns = 0;
  uint64_t compute_end_ns = 0;
  uint64_t end_ns = 0;
  uint64_t id = 0;
  uint32_t batch = 0;
  uint16_t rows = 0;   // saturates at 65535
  uint16_t model = 0;  // number of (name, version) in the engine's table of names; 0 = none
  uint16_t count = 0;
  uint8_t instance = 0;  // index within its model; number of the pool for memory events
  EventKind kind = EventKind::kRequest;
  uint8_t detail = 0;
  uint8_t status = 0;
  uint8_t priority = 0;
  uint8_t spare = 0;
};
static_assert(sizeof(Event) == 64);

}  // namespace workbench
