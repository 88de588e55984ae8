// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// LoadState: what the senders of a run and the completions of its requests share. Outlives the generator
// while requests are in flight, which report to it: hence held by shared_ptr. Any thread may call it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/mutex.h"
#include "load/load_run.h"
#include "load/pacer.h"
#include "load/recorder.h"

namespace workbench {

class LoadState final : public Completions {
 public:
  // Time zero is lead_in_ns from now: a sender whose thread is still being made would begin late.
  LoadState(std::unique_ptr<Pacer> pacer, uint64_t record_capacity, uint64_t observation_capacity,
            uint32_t sender_count, uint64_t lead_in_ns = 0, std::shared_ptr<const void> borrowed = nullptr);

  Pacer& pacer() { return *pacer_; }
  Recorder& recorder() { return recorder_; }
  uint64_t start_ns() const { return start_ns_; }
  int64_t SinceStart() const { return static_cast<int64_t>(pacer_->NowNs() - start_ns_); }
  bool is_stopped() const { return is_stopped_.load(); }
  // Nothing more will be sent, and all is answered or given up.
  bool has_ended() const;

  // The next request's number, each handed out once.
  uint64_t Claim() { return next_.fetch_add(1, std::memory_order_relaxed); }
  // Waits until fewer than bound are in flight and takes a place; false once stopped.
  bool TakePlace(uint32_t bound) EXCLUDES(mutex_);
  // For a place that is not used after all.
  void GiveBackPlace() EXCLUDES(mutex_);
  void Sent(uint64_t index, int64_t intended_ns);
  void Done(uint64_t index, StatusCode status) override EXCLUDES(mutex_);
  // Each sender's last call.
  void SenderEnded() EXCLUDES(mutex_);

  void Stop() EXCLUDES(mutex_);
  bool WaitForEnd(uint64_t timeout_ns) EXCLUDES(mutex_);
  LoadProgress progress(uint64_t planned) const;

 private:
  bool TryTakePlace(uint32_t bound);
  bool SpinForPlace(uint32_t bound);
  void WakeWaitingSender() EXCLUDES(mutex_);

  // Constant.
  const std::unique_ptr<Pacer> pacer_;
  const uint64_t start_ns_;
  const std::shared_ptr<const void>
      borrowed_;  // shared with the run's owner; requests in flight keep it by the state

  // Self-synchronised.
  Recorder recorder_;
  std::atomic<uint64_t> next_{0};
  std::atomic<uint64_t> sent_{0};
  std::atomic<uint64_t> answered_{0};
  std::atomic<uint64_t> failed_{0};
  std::atomic<uint64_t> last_done_ns_{0};
  std::atomic<uint32_t> in_flight_{0};
  std::atomic<uint32_t> senders_;
  std::atomic<uint32_t> waiting_senders_{0};
  std::atomic<bool> is_stopped_{false};

  // Only a sleeper is woken: both conditions read atomics, and the mutex orders sleep and wake alone.
  Mutex mutex_;
  CondVar place_free_;
  CondVar ended_;
};

}  // namespace workbench
