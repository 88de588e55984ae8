// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

#include "load_mode.h"

#include <sched.h>

#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

namespace workbench::bench {

namespace {

class CallbackMode final : public LoadMode {
 public:
  explicit CallbackMode(Session& session) : session_(session) {}

  void Start() override {
    live_ = session_.Slots().size();
    for (Slot& slot : session_.Slots()) session_.Submit(slot, NowNs());
  }

  void Complete(Slot& slot) override {
    if (!stopping_.load(std::memory_order_relaxed)) return session_.Submit(slot, NowNs());
    std::lock_guard<std::mutex> lock(mutex_);
    if (--live_ == 0) ended_.notify_one();
  }

  void Stop() override {
    stopping_ = true;
    std::unique_lock<std::mutex> lock(mutex_);
    ended_.wait(lock, [this] { return live_ == 0; });
  }

 private:
  Session& session_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  size_t live_ = 0;
};

// Completed slots, from the library's threads to one submitter.
class CompletionQueue {
 public:
  void Push(Slot& slot) {
    std::lock_guard<std::mutex> lock(mutex_);
    slots_.push_back(&slot);
    filled_.notify_one();
  }

  // Adds what has come to `slots`; waits for at least one where `wait`.
  void Take(std::vector<Slot*>* slots, bool wait) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (wait) filled_.wait(lock, [this] { return !slots_.empty(); });
    slots->insert(slots->end(), slots_.begin(), slots_.end());
    slots_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::vector<Slot*> slots_;
};

class AsyncMode final : public LoadMode {
 public:
  AsyncMode(Session& session, int gap_us) : session_(session), gap_ns_(uint64_t(gap_us) * 1000) {}

  void Start() override {
    submitter_ = std::thread([this] { Run(); });
  }
  void Complete(Slot& slot) override { completed_.Push(slot); }
  void Stop() override {
    stopping_ = true;
    submitter_.join();
  }

 private:
  void Run() {
    size_t live = session_.Slots().size();
    for (Slot& slot : session_.Slots()) session_.Submit(slot, NowNs());
    std::vector<Slot*> slots;
    while (live > 0) {
      completed_.Take(&slots, /*wait=*/true);
      if (stopping_.load(std::memory_order_relaxed)) {
        live -= slots.size();
      } else {
        for (Slot* slot : slots) SubmitInTime(*slot);
      }
      slots.clear();
    }
  }

  // Keeps the gap, as a client does that needs time for a request.
  void SubmitInTime(Slot& slot) {
    while (gap_ns_ > 0 && NowNs() - last_ns_ < gap_ns_) {
    }
    last_ns_ = NowNs();
    session_.Submit(slot, last_ns_);
  }

  Session& session_;
  const uint64_t gap_ns_;
  uint64_t last_ns_ = 0;
  CompletionQueue completed_;
  std::atomic<bool> stopping_{false};
  std::thread submitter_;
};

// Where one client waits for its one request.
class Waiter {
 public:
  void Signal() {
    std::lock_guard<std::mutex> lock(mutex_);
    is_done_.store(true, std::memory_order_release);
    done_.notify_one();
  }

  void Wait(uint64_t spin_ns) {
    for (const uint64_t start = spin_ns > 0 ? NowNs() : 0; spin_ns > 0 && !IsDone();) {
      if (NowNs() - start > spin_ns) break;
      sched_yield();
    }
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return IsDone(); });
    is_done_.store(false, std::memory_order_relaxed);
  }

 private:
  bool IsDone() const { return is_done_.load(std::memory_order_acquire); }

  std::mutex mutex_;
  std::condition_variable done_;
  std::atomic<bool> is_done_{false};
};

class SyncMode final : public LoadMode {
 public:
  SyncMode(Session& session, int spin_us)
      : session_(session), spin_ns_(uint64_t{1000} * spin_us), waiters_(session.Slots().size()) {}

  void Start() override {
    for (Slot& slot : session_.Slots()) {
      clients_.emplace_back([this, &slot] { Run(slot); });
    }
  }
  void Complete(Slot& slot) override { waiters_[session_.IndexOf(slot)].Signal(); }
  void Stop() override {
    stopping_ = true;
    for (std::thread& client : clients_) client.join();
  }

 private:
  void Run(Slot& slot) {
    while (!stopping_.load(std::memory_order_relaxed)) {
      session_.Submit(slot, NowNs());
      waiters_[session_.IndexOf(slot)].Wait(spin_ns_);
    }
  }

  Session& session_;
  const uint64_t spin_ns_;
  std::vector<Waiter> waiters_;
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> clients_;
};

class OpenMode final : public LoadMode {
 public:
  OpenMode(Session& session, double rate) : session_(session), gap_s_(rate) {}

  void Start() override {
    for (Slot& slot : session_.Slots()) free_.push_back(&slot);
    submitter_ = std::thread([this] { Run(); });
  }
  void Complete(Slot& slot) override { completed_.Push(slot); }
  void Stop() override {
    stopping_ = true;
    submitter_.join();
    while (free_.size() < session_.Slots().size()) completed_.Take(&free_, /*wait=*/true);
  }
  uint64_t Dropped() const override { return dropped_; }

 private:
  void Run() {
    double intended_ns = static_cast<double>(NowNs());
    while (!stopping_.load(std::memory_order_relaxed)) {
      intended_ns += gap_s_(random_) * 1e9;
      WaitUntil(static_cast<uint64_t>(intended_ns));
      Arrive(static_cast<uint64_t>(intended_ns));
    }
  }

  // Sleeps through most of a long gap and spins through the rest: a sleep ends late.
  static void WaitUntil(uint64_t deadline_ns) {
    constexpr uint64_t kSpinNs = 80'000;
    for (uint64_t now_ns = NowNs(); now_ns < deadline_ns; now_ns = NowNs()) {
      const uint64_t rest_ns = deadline_ns - now_ns;
      if (rest_ns > kSpinNs) std::this_thread::sleep_for(std::chrono::nanoseconds(rest_ns - kSpinNs));
    }
  }

  void Arrive(uint64_t intended_ns) {
    if (free_.empty()) completed_.Take(&free_, /*wait=*/false);
    if (free_.empty()) {
      ++dropped_;
      return;
    }
    Slot* slot = free_.back();
    free_.pop_back();
    session_.Submit(*slot, intended_ns);
  }

  Session& session_;
  CompletionQueue completed_;
  std::mt19937_64 random_{1};
  std::exponential_distribution<double> gap_s_;
  std::vector<Slot*> free_;
  uint64_t dropped_ = 0;
  std::atomic<bool> stopping_{false};
  std::thread submitter_;
};

}  // namespace

std::unique_ptr<LoadMode> LoadMode::Create(Session& session, const Options& options) {
  if (options.name == "callback") return std::make_unique<CallbackMode>(session);
  if (options.name == "async") return std::make_unique<AsyncMode>(session, options.gap_us);
  if (options.name == "sync") return std::make_unique<SyncMode>(session, options.spin_us);
  if (options.name == "open") return std::make_unique<OpenMode>(session, options.rate);
  return nullptr;
}

}  // namespace workbench::bench
