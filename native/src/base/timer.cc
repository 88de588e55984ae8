// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/timer.h"

#include <algorithm>
#include <vector>

#include "base/wake_up.h"

namespace workbench {
namespace {

class ThreadTimer;

class ThreadSubscription final : public Timer::Subscription {
 public:
  ThreadSubscription(ThreadTimer* timer, Timer::OnDeadline on_deadline)
      : timer_(timer), on_deadline_(std::move(on_deadline)) {}
  ~ThreadSubscription() override { Cancel(); }
  void Cancel() override;
  void CallBy(uint64_t deadline_ns) override;

 private:
  friend class ThreadTimer;
  ThreadTimer* const timer_;
  const Timer::OnDeadline on_deadline_;
  // Read without the lock to skip it when a call is already due sooner; written under the timer's lock.
  std::atomic<uint64_t> due_ns_{Timer::kNever};
  bool is_removed_ = false;  // under the timer's lock
};

class ThreadTimer final : public Timer {
 public:
  Status Start() {
    ASSIGN_OR_RETURN(worker_, Worker::Start("wb-timer", [this] { Run(); }));
    return OkStatus();
  }
  ~ThreadTimer() override {
    {
      MutexLock lock(&mutex_);
      stopping_ = true;
    }
    changed_.NotifyAll();
    worker_.Join();
  }

  std::unique_ptr<Subscription> Subscribe(OnDeadline on_deadline) override {
    return std::make_unique<ThreadSubscription>(this, std::move(on_deadline));
  }

  void Move(ThreadSubscription* subscription, uint64_t deadline_ns) {
    bool is_first;
    {
      MutexLock lock(&mutex_);
      if (subscription->is_removed_ || deadline_ns >= subscription->due_ns_.load()) return;
      Reschedule(subscription, deadline_ns);
      is_first = !queue_.empty() && queue_.begin()->second == subscription;
    }
    if (is_first) changed_.NotifyOne();
  }

  void Remove(ThreadSubscription* subscription) {
    MutexLock lock(&mutex_);
    subscription->is_removed_ = true;
    Reschedule(subscription, kNever);
    while (running_ == subscription) idle_.Wait(&mutex_);
    subscription->due_ns_.store(0);  // sooner than any deadline: CallBy does not come here any more
  }

 private:
  void Reschedule(ThreadSubscription* subscription, uint64_t deadline_ns) REQUIRES(mutex_) {
    if (subscription->is_removed_ && deadline_ns != kNever) return;
    const uint64_t before = subscription->due_ns_.load();
    if (before != kNever) queue_.erase({before, subscription});
    subscription->due_ns_.store(deadline_ns);
    if (deadline_ns != kNever) queue_.insert({deadline_ns, subscription});
  }

  void Run() {
    WakePromptly();
    mutex_.Lock();
    while (!stopping_) {
      if (queue_.empty()) {
        changed_.Wait(&mutex_);
      } else if (queue_.begin()->first > SteadyClock::Read()) {
        changed_.WaitUntil(&mutex_, queue_.begin()->first);
      } else {
        CallFirst();
      }
    }
    mutex_.Unlock();
  }

  void CallFirst() REQUIRES(mutex_) {
    ThreadSubscription* subscription = queue_.begin()->second;
    Reschedule(subscription, kNever);
    running_ = subscription;
    mutex_.Unlock();
    const uint64_t next_ns = subscription->on_deadline_(SteadyClock::Read());
    mutex_.Lock();
    running_ = nullptr;
    idle_.NotifyAll();
    if (next_ns < subscription->due_ns_.load()) Reschedule(subscription, std::max<uint64_t>(next_ns, 1));
  }

  Mutex mutex_;
  CondVar changed_;
  CondVar idle_;
  std::set<std::pair<uint64_t, ThreadSubscription*>> queue_ GUARDED_BY(mutex_);
  ThreadSubscription* running_ GUARDED_BY(mutex_) = nullptr;
  bool stopping_ GUARDED_BY(mutex_) = false;
  Worker worker_;
};

void ThreadSubscription::Cancel() {
  if (due_ns_.load() != 0) timer_->Remove(this);
}

void ThreadSubscription::CallBy(uint64_t deadline_ns) {
  deadline_ns = std::max<uint64_t>(deadline_ns, 1);  // 0 stands for a subscription that is cancelled
  if (deadline_ns < due_ns_.load(std::memory_order_relaxed)) timer_->Move(this, deadline_ns);
}

}  // namespace

Result<std::unique_ptr<Timer>> NewThreadTimer() {
  auto timer = std::make_unique<ThreadTimer>();
  RETURN_IF_ERROR(timer->Start());
  return std::unique_ptr<Timer>(std::move(timer));
}

}  // namespace workbench
