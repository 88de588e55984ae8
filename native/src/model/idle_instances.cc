// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/idle_instances.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/polling_doors.h"

namespace workbench {

IdleInstances::IdleInstances() { Publish({}); }

void IdleInstances::Publish(Table table) {
  tables_.push_back(std::make_unique<const Table>(std::move(table)));
  table_.store(tables_.back().get(), std::memory_order_release);
}

IdleInstances::Seat* IdleInstances::Join(std::vector<uint32_t> instances) {
  seats_.push_back(std::make_unique<Seat>());
  Seat* const seat = seats_.back().get();
  Table table = *table_.load();
  for (uint32_t instance : instances) {
    if (table.size() <= instance) table.resize(instance + 1, nullptr);
    table[instance] = seat;
  }
  seat->instances_ = std::move(instances);
  Publish(std::move(table));
  return seat;
}

void IdleInstances::Dismiss(Seat* seat) {
  seat->is_leaving_.store(true);
  seat->parker_.Wake();
}

void IdleInstances::Leave(Seat* seat) {
  Table table = *table_.load();
  std::replace(table.begin(), table.end(), seat, static_cast<Seat*>(nullptr));
  Publish(std::move(table));
  WakeOne();
}

bool IdleInstances::Seat::HasWork(const Scheduler& scheduler) const {
  for (uint32_t instance : instances_) {
    if (scheduler.has_ready(instance)) return true;
  }
  return false;
}

void IdleInstances::WakeOne() {
  // Whoever polls sees the work by itself, and wakes another if there is more.
  if (polling_.load(std::memory_order_seq_cst) > 0) return;
  if (sleeping_.load(std::memory_order_seq_cst) == 0) return;
  for (Seat* seat : *table_.load(std::memory_order_acquire)) {
    if (seat != nullptr && seat->parker_.is_parked() && seat->parker_.Wake()) return;
  }
}

void IdleInstances::Wake(uint32_t instance) {
  const Table& table = *table_.load(std::memory_order_acquire);
  Seat* const seat = instance < table.size() ? table[instance] : nullptr;
  if (seat != nullptr && seat->parker_.is_parked()) seat->parker_.Wake();
}

bool IdleInstances::WaitForWork(const Scheduler& scheduler, Seat* seat) {
  seat->gap_.Begin(SteadyClock::Read());
  if (seat->is_leaving_.load()) return false;
  if (is_stopping_.load()) return seat->HasWork(scheduler);
  if (seat->gap_.is_short() && DoorsLeaveRoom() && Poll(scheduler, *seat)) return true;
  Sleep(scheduler, seat);
  if (seat->is_leaving_.load()) return false;
  return seat->HasWork(scheduler) || !is_stopping_.load();
}

bool IdleInstances::Poll(const Scheduler& scheduler, const Seat& seat) {
  polling_.fetch_add(1, std::memory_order_seq_cst);
  const uint64_t end_ns = SteadyClock::Read() + kPollNs;
  bool found = false;
  do {
    sched_yield();
    found = seat.HasWork(scheduler);
  } while (!found && !is_stopping_.load(std::memory_order_relaxed) && !seat.is_leaving() &&
           DoorsLeaveRoom() && SteadyClock::Read() < end_ns);
  polling_.fetch_sub(1, std::memory_order_seq_cst);
  return found;
}

void IdleInstances::Sleep(const Scheduler& scheduler, Seat* seat) {
  seat->parker_.Announce();
  sleeping_.fetch_add(1, std::memory_order_seq_cst);
  // Work that came between the last look and the announcement woke nobody: look once more.
  if (!seat->HasWork(scheduler) && !is_stopping_.load() && !seat->is_leaving_.load()) {
    while (seat->parker_.is_parked()) seat->parker_.Sleep();
  }
  seat->parker_.Withdraw();
  sleeping_.fetch_sub(1, std::memory_order_seq_cst);
}

void IdleInstances::Stop() {
  is_stopping_.store(true);
  for (const auto& seat : seats_) seat->parker_.Wake();
}

}  // namespace workbench
