// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Recorder: one fixed-size record for each request of a run, and one for each look at the target.
// Space is reserved before the run; pages are touched only as they are written. Owned by the run's state.
// Different requests may be recorded by different threads at once, and read at any time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"

namespace workbench {

// Times are nanoseconds since the start of the run. Read by numpy as it is (workbench/load/records.py).
struct LoadRecord {
  int64_t intended_ns;
  int64_t sent_ns;
  int64_t done_ns;  // 0: not answered
  uint32_t status;  // StatusCode
  uint32_t spare;
};
static_assert(sizeof(LoadRecord) == 32);

// What the observer saw when it woke.
struct Observation {
  int64_t at_ns;
  uint32_t late_ns;  // how much later than it asked for; saturates
  uint32_t in_flight;
};
static_assert(sizeof(Observation) == 16);

class Recorder {
 public:
  Recorder(uint64_t record_capacity, uint64_t observation_capacity);

  uint64_t record_capacity() const { return record_capacity_; }

  // REQUIRES: index < record_capacity(), and each index is sent once and done at most once.
  void Sent(uint64_t index, int64_t intended_ns, int64_t sent_ns);
  void Done(uint64_t index, int64_t done_ns, StatusCode status);
  // One thread alone. What does not fit is left out.
  void Observe(const Observation& observation);

  // Copies of what has been sent, by index, and of what was seen, by time.
  std::vector<LoadRecord> Records() const;
  std::vector<Observation> Observations() const;

 private:
  struct Slot {
    int64_t intended_ns;
    int64_t sent_ns;
    std::atomic<int64_t> done_ns;
    std::atomic<uint32_t> status;
    std::atomic<uint32_t> is_sent;  // released after the times above are written
  };
  struct Unmap {
    size_t byte_size = 0;
    void operator()(void* memory) const;
  };
  template <typename T>
  using Pages = std::unique_ptr<T[], Unmap>;
  template <typename T>
  static Pages<T> NewPages(uint64_t count);

  const uint64_t record_capacity_;
  const uint64_t observation_capacity_;
  const Pages<Slot> slots_;
  const Pages<Observation> observations_;
  std::atomic<uint64_t> slot_end_{0};  // one past the highest index sent
  std::atomic<uint64_t> observation_count_{0};
};

}  // namespace workbench
