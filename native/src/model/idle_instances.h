// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// IdleInstances: where instances of a model wait for work, and how one of them is told of it.
//
// An instance that expects work soon polls for a while before it sleeps: waking a sleeping core takes longer
// than most gaps between requests under load. One that does not expect any sleeps at once, so a quiet model
// costs nothing.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/parker.h"
#include "scheduling/batch_runner.h"
#include "scheduling/scheduler.h"

namespace workbench {

class IdleInstances final : public BatchRunner {
 public:
  // One for each instance; touched by its own thread alone.
  class Seat {
   public:
    // The seat's instance took work that arrived then.
    void OnWork(uint64_t arrival_ns);

   private:
    friend class IdleInstances;
    uint32_t index_ = 0;  // of the seat's instance
    Parker parker_;
    uint64_t idle_since_ns_ = 0;  // 0: was not idle
    double expected_gap_ns_ = 0;  // moving average of how long it was idle
  };

  explicit IdleInstances(size_t count);

  Seat* seat(size_t index) { return &seats_[index]; }
  void WakeOne() override;
  void Wake(uint32_t instance) override;
  // Returns once the scheduler may have a batch for the seat's instance, or false once stopping and nothing
  // is ready.
  bool WaitForWork(const Scheduler& scheduler, Seat* seat);
  void Stop();

 private:
  bool Poll(const Scheduler& scheduler, const Seat& seat);
  void Sleep(const Scheduler& scheduler, Seat* seat);

  std::vector<Seat> seats_;  // never resized: a parker does not move
  std::atomic<int> polling_{0};
  std::atomic<int> sleeping_{0};
  std::atomic<bool> is_stopping_{false};
};

}  // namespace workbench
