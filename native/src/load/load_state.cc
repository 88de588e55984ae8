// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/load_state.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace workbench {
namespace {

// A wake-up costs more than this; an answer that comes sooner finds the sender awake.
constexpr uint64_t kSpinForPlaceNs = 20'000;

}  // namespace

LoadState::LoadState(std::unique_ptr<Pacer> pacer, uint64_t record_capacity, uint64_t observation_capacity,
                     uint32_t sender_count, uint64_t lead_in_ns, std::shared_ptr<const void> borrowed)
    : pacer_(std::move(pacer)),
      start_ns_(pacer_->NowNs() + lead_in_ns),
      borrowed_(std::move(borrowed)),
      recorder_(record_capacity, observation_capacity),
      senders_(sender_count) {}

bool LoadState::TryTakePlace(uint32_t bound) {
  uint32_t taken = in_flight_.load();
  while (taken < bound) {
    if (in_flight_.compare_exchange_weak(taken, taken + 1)) return true;
  }
  return false;
}

bool LoadState::SpinForPlace(uint32_t bound) {
  const uint64_t end_ns = SteadyClock::Read() + kSpinForPlaceNs;
  while (!is_stopped() && SteadyClock::Read() < end_ns) {
    std::this_thread::yield();
    if (TryTakePlace(bound)) return true;
  }
  return false;
}

bool LoadState::TakePlace(uint32_t bound) {
  if (is_stopped()) return false;
  if (TryTakePlace(bound) || SpinForPlace(bound)) return true;
  MutexLock lock(&mutex_);
  waiting_senders_.fetch_add(1);
  bool is_taken = false;
  while (!is_stopped() && !(is_taken = TryTakePlace(bound))) place_free_.Wait(&mutex_);
  waiting_senders_.fetch_sub(1);
  return is_taken;
}

void LoadState::Sent(uint64_t index, int64_t intended_ns) {
  recorder_.Sent(index, intended_ns, SinceStart());
  sent_.fetch_add(1, std::memory_order_relaxed);
}

void LoadState::Done(uint64_t index, StatusCode status) {
  const int64_t done_ns = SinceStart();
  recorder_.Done(index, done_ns, status);
  last_done_ns_.store(done_ns, std::memory_order_relaxed);
  if (status != StatusCode::kOk) failed_.fetch_add(1, std::memory_order_relaxed);
  answered_.fetch_add(1, std::memory_order_relaxed);
  const bool is_last = in_flight_.fetch_sub(1) == 1;
  WakeWaitingSender();
  if (is_last && senders_.load() == 0) {
    MutexLock lock(&mutex_);
    ended_.NotifyAll();
  }
}

void LoadState::GiveBackPlace() {
  in_flight_.fetch_sub(1);
  WakeWaitingSender();
}

void LoadState::WakeWaitingSender() {
  if (waiting_senders_.load() == 0) return;
  MutexLock lock(&mutex_);
  place_free_.NotifyOne();
}

void LoadState::SenderEnded() {
  if (senders_.fetch_sub(1) > 1) return;
  MutexLock lock(&mutex_);
  ended_.NotifyAll();
}

void LoadState::Stop() {
  is_stopped_.store(true);
  pacer_->Stop();
  MutexLock lock(&mutex_);
  place_free_.NotifyAll();
  ended_.NotifyAll();
}

bool LoadState::has_ended() const { return senders_.load() == 0 && (is_stopped() || in_flight_.load() == 0); }

bool LoadState::WaitForEnd(uint64_t timeout_ns) {
  const uint64_t deadline_ns = SteadyClock::Read() + timeout_ns;
  MutexLock lock(&mutex_);
  while (!has_ended() && SteadyClock::Read() < deadline_ns) ended_.WaitUntil(&mutex_, deadline_ns);
  return has_ended();
}

LoadProgress LoadState::progress(uint64_t planned) const {
  LoadProgress progress;
  progress.planned = planned;
  progress.sent = sent_.load();
  progress.answered = answered_.load();
  progress.failed = failed_.load();
  progress.is_finished = has_ended();
  progress.elapsed_ns = progress.is_finished ? last_done_ns_.load() : std::max<int64_t>(SinceStart(), 0);
  return progress;
}

}  // namespace workbench
