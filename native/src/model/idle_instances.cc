// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/idle_instances.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace workbench {
namespace {

// Longer than waking a sleeping virtual core takes (about 20 us), short against a time slice.
constexpr uint64_t kPollNs = 50'000;
constexpr double kGapWeight = 1.0 / 8;

bool CanPoll() {
  static const bool has_another_core = std::thread::hardware_concurrency() > 1;
  return has_another_core;
}

}  // namespace

IdleInstances::IdleInstances(size_t count) : seats_(count) {
  for (size_t i = 0; i < count; ++i) seats_[i].index_ = static_cast<uint32_t>(i);
}

void IdleInstances::Seat::OnWork(uint64_t arrival_ns) {
  if (idle_since_ns_ == 0) return;
  const double gap_ns = arrival_ns > idle_since_ns_ ? static_cast<double>(arrival_ns - idle_since_ns_) : 0;
  // Capped, so that one long pause does not keep it from polling once traffic is back.
  expected_gap_ns_ += (std::min(gap_ns, 8.0 * kPollNs) - expected_gap_ns_) * kGapWeight;
  idle_since_ns_ = 0;
}

void IdleInstances::WakeOne() {
  // Whoever polls sees the work by itself, and wakes another if there is more.
  if (polling_.load(std::memory_order_seq_cst) > 0) return;
  if (sleeping_.load(std::memory_order_seq_cst) == 0) return;
  for (Seat& seat : seats_) {
    if (seat.parker_.is_parked() && seat.parker_.Wake()) return;
  }
}

void IdleInstances::Wake(uint32_t instance) {
  Parker& parker = seats_[instance].parker_;
  if (parker.is_parked()) parker.Wake();
}

bool IdleInstances::WaitForWork(const Scheduler& scheduler, Seat* seat) {
  if (seat->idle_since_ns_ == 0) seat->idle_since_ns_ = SteadyClock::Read();
  if (is_stopping_.load()) return scheduler.has_ready(seat->index_);
  const bool expects_work = seat->expected_gap_ns_ < kPollNs && CanPoll();
  if (expects_work && Poll(scheduler, *seat)) return true;
  Sleep(scheduler, seat);
  return scheduler.has_ready(seat->index_) || !is_stopping_.load();
}

bool IdleInstances::Poll(const Scheduler& scheduler, const Seat& seat) {
  polling_.fetch_add(1, std::memory_order_seq_cst);
  const uint64_t end_ns = SteadyClock::Read() + kPollNs;
  bool found = false;
  do {
    sched_yield();
    found = scheduler.has_ready(seat.index_);
  } while (!found && !is_stopping_.load(std::memory_order_relaxed) && SteadyClock::Read() < end_ns);
  polling_.fetch_sub(1, std::memory_order_seq_cst);
  return found;
}

void IdleInstances::Sleep(const Scheduler& scheduler, Seat* seat) {
  seat->parker_.Announce();
  sleeping_.fetch_add(1, std::memory_order_seq_cst);
  // Work that came between the last look and the announcement woke nobody: look once more.
  if (!scheduler.has_ready(seat->index_) && !is_stopping_.load()) {
    while (seat->parker_.is_parked()) seat->parker_.Sleep();
  }
  seat->parker_.Withdraw();
  sleeping_.fetch_sub(1, std::memory_order_seq_cst);
}

void IdleInstances::Stop() {
  is_stopping_.store(true);
  for (Seat& seat : seats_) seat.parker_.Wake();
}

}  // namespace workbench
