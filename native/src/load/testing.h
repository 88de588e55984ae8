// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// For the tests of this floor: a pacer whose clock jumps to whatever is waited for, and targets that do
// nothing.
#pragma once

#include <utility>
#include <vector>

#include "load/pacer.h"
#include "load/target.h"
#include "testing/fake_clock.h"

namespace workbench {

class FakePacer final : public Pacer {
 public:
  explicit FakePacer(FakeClock& clock) : clock_(clock) {}
  uint64_t NowNs() const override { return clock_.NowNs(); }
  bool WaitUntil(uint64_t time_ns) override {
    if (is_stopped_) return false;
    if (time_ns + oversleep_ns > NowNs()) clock_.Advance(time_ns + oversleep_ns - NowNs());
    return true;
  }
  void Stop() override { is_stopped_ = true; }

  uint64_t oversleep_ns = 0;

 private:
  FakeClock& clock_;
  std::atomic<bool> is_stopped_{false};
};

// Answers within Send, after a service time on the fake clock.
class InlineTarget final : public Target {
 public:
  explicit InlineTarget(FakeClock& clock, uint64_t service_ns = 0) : clock_(clock), service_ns_(service_ns) {}
  void Send(uint64_t index, const std::shared_ptr<Completions>& completions) override {
    clock_.Advance(service_ns_);
    sent.push_back(index);
    completions->Done(index, status);
  }
  uint64_t InFlight() const override { return in_flight; }

  StatusCode status = StatusCode::kOk;
  uint64_t in_flight = 0;
  std::vector<uint64_t> sent;

 private:
  FakeClock& clock_;
  const uint64_t service_ns_;
};

// Keeps what it is sent until the test answers it.
class HoldingTarget final : public Target {
 public:
  // Shared with the test, since the generator owns the target.
  struct Held {
    Mutex mutex;
    CondVar changed;
    std::vector<std::pair<uint64_t, std::shared_ptr<Completions>>> requests GUARDED_BY(mutex);

    void WaitFor(size_t count) {
      MutexLock lock(&mutex);
      while (requests.size() < count) changed.Wait(&mutex);
    }
    void AnswerAll() {
      decltype(requests) taken;
      {
        MutexLock lock(&mutex);
        taken.swap(requests);
      }
      for (auto& [index, completions] : taken) completions->Done(index, StatusCode::kOk);
    }
  };

  explicit HoldingTarget(std::shared_ptr<Held> held) : held_(std::move(held)) {}
  void Send(uint64_t index, const std::shared_ptr<Completions>& completions) override {
    MutexLock lock(&held_->mutex);
    held_->requests.emplace_back(index, completions);
    held_->changed.NotifyAll();
  }
  uint64_t InFlight() const override {
    MutexLock lock(&held_->mutex);
    return held_->requests.size();
  }

 private:
  const std::shared_ptr<Held> held_;
};

}  // namespace workbench
