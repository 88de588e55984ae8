// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/recorder.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace workbench {

void Recorder::Unmap::operator()(void* memory) const { munmap(memory, byte_size); }

// Pages of the kernel are zero and not there until written: a generous capacity costs address space alone.
// Those of malloc may be used ones, which it would have to clear.
template <typename T>
Recorder::Pages<T> Recorder::NewPages(uint64_t count) {
  const size_t byte_size = std::max<uint64_t>(count, 1) * sizeof(T);
  void* const memory = mmap(nullptr, byte_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return Pages<T>(static_cast<T*>(memory), Unmap{byte_size});
}

Recorder::Recorder(uint64_t record_capacity, uint64_t observation_capacity)
    : record_capacity_(record_capacity),
      observation_capacity_(observation_capacity),
      slots_(NewPages<Slot>(record_capacity)),
      observations_(NewPages<Observation>(observation_capacity)) {}

void Recorder::Sent(uint64_t index, int64_t intended_ns, int64_t sent_ns) {
  Slot& slot = slots_[index];
  slot.intended_ns = intended_ns;
  slot.sent_ns = sent_ns;
  slot.is_sent.store(1, std::memory_order_release);
  uint64_t end = slot_end_.load(std::memory_order_relaxed);
  while (end <= index && !slot_end_.compare_exchange_weak(end, index + 1, std::memory_order_release)) {
  }
}

void Recorder::Done(uint64_t index, int64_t done_ns, StatusCode status) {
  Slot& slot = slots_[index];
  slot.status.store(static_cast<uint32_t>(status), std::memory_order_relaxed);
  slot.done_ns.store(std::max<int64_t>(done_ns, 1), std::memory_order_release);
}

void Recorder::Observe(const Observation& observation) {
  const uint64_t count = observation_count_.load(std::memory_order_relaxed);
  if (count == observation_capacity_) return;
  observations_[count] = observation;
  observation_count_.store(count + 1, std::memory_order_release);
}

std::vector<LoadRecord> Recorder::Records() const {
  const uint64_t end = slot_end_.load(std::memory_order_acquire);
  std::vector<LoadRecord> records;
  records.reserve(end);
  for (uint64_t index = 0; index < end; ++index) {
    const Slot& slot = slots_[index];
    if (slot.is_sent.load(std::memory_order_acquire) == 0) continue;
    const int64_t done_ns = slot.done_ns.load(std::memory_order_acquire);
    records.push_back(
        {slot.intended_ns, slot.sent_ns, done_ns, slot.status.load(std::memory_order_relaxed), 0});
  }
  return records;
}

std::vector<Observation> Recorder::Observations() const {
  const uint64_t count = observation_count_.load(std::memory_order_acquire);
  return {observations_.get(), observations_.get() + count};
}

}  // namespace workbench
