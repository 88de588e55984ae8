// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DynamicScheduler: queue, policy and deadline of one model glued together; it has no thread. The policy runs
// where something changed: on the thread that enqueues, on the instance that became free, on the timer. With
// BatchingOptions::is_dynamic false it is the direct scheduler.
#pragma once

#include <atomic>
#include <memory>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/timer.h"
#include "scheduling/batch_runner.h"
#include "scheduling/request_queue.h"
#include "scheduling/response_order.h"
#include "scheduling/scheduler.h"

namespace workbench {

class DynamicScheduler final : public Scheduler {
 public:
  // Borrows clock, timer and runner, which outlive it.
  DynamicScheduler(SchedulingOptions options, const Clock& clock, Timer& timer, BatchRunner& runner);
  ~DynamicScheduler() override;

  std::optional<Refusal> Enqueue(RequestPtr request) override;
  bool Take(uint32_t instance, Batch* batch) override;
  bool has_ready(uint32_t instance) const override { return has_ready_.load(std::memory_order_seq_cst); }
  size_t queue_length() const override { return length_.load(std::memory_order_relaxed); }
  std::vector<QueueLevel> queue_levels() const override;
  void Reconfigure(SchedulingOptions options) override;
  void Flush() override;
  void Stop() override;

 private:
  // What is to be done once the lock is released.
  struct Outcome {
    bool is_ready = false;
    uint64_t look_again_ns = 0;
    std::vector<QueueEntry*> rejected;
  };

  uint64_t OnDeadline(uint64_t now_ns);
  Outcome Look(uint64_t now_ns) REQUIRES(mutex_);
  BatchDecision Decide(uint64_t now_ns) REQUIRES(mutex_);
  void Pop(uint32_t count, Batch* batch) REQUIRES(mutex_);
  void Act(const Outcome& outcome);
  uint64_t NowIfNeeded() const REQUIRES(mutex_);

  // Constant.
  const Clock& clock_;
  BatchRunner& runner_;
  std::unique_ptr<Timer::Subscription> deadline_;

  // Self-synchronised.
  std::atomic<bool> has_ready_{false};
  std::atomic<size_t> length_{0};

  mutable Mutex mutex_;
  BatchPolicy policy_ GUARDED_BY(mutex_);
  std::unique_ptr<RequestQueue> queue_ GUARDED_BY(mutex_);
  std::shared_ptr<ResponseOrder> order_ GUARDED_BY(mutex_);  // with answers to come; null: any order will do
  bool is_flushing_ GUARDED_BY(mutex_) = false;
};

}  // namespace workbench
