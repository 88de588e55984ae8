// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// IdleInstances: where instances of a model wait for work, and how one of them is told of it.
//
// An instance that expects work soon polls for a while before it sleeps: waking a sleeping core takes longer
// than most gaps between requests under load. One that does not expect any sleeps at once, so a quiet model
// costs nothing. Seats come and go while the others work.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/expected_gap.h"
#include "base/parker.h"
#include "scheduling/batch_runner.h"
#include "scheduling/scheduler.h"

namespace workbench {

class IdleInstances final : public BatchRunner {
 public:
  static constexpr uint64_t kPollNs = 50'000;

  // One for each thread, which alone touches it.
  class Seat {
   public:
    // An instance of the seat took work that arrived then.
    void OnWork(uint64_t arrival_ns) { gap_.End(arrival_ns); }
    // Its thread is to end, whatever waits: others are there for it.
    bool is_leaving() const { return is_leaving_.load(std::memory_order_relaxed); }

   private:
    friend class IdleInstances;
    bool HasWork(const Scheduler& scheduler) const;

    std::vector<uint32_t> instances_;  // that the seat's thread serves
    std::atomic<bool> is_leaving_{false};
    Parker parker_;
    ExpectedGap gap_{kPollNs};
  };

  IdleInstances();

  // --- control; one thread at a time
  // A seat for a thread that serves these instances.
  Seat* Join(std::vector<uint32_t> instances);
  // Tells the seat's thread to end.
  void Dismiss(Seat* seat);
  // REQUIRES: the seat's thread has ended. What it was woken for goes to another.
  void Leave(Seat* seat);

  void WakeOne() override;
  void Wake(uint32_t instance) override;
  // Returns once the scheduler may have a batch for the seat, or false once its thread is to end: dismissed,
  // or all stop and nothing is ready.
  bool WaitForWork(const Scheduler& scheduler, Seat* seat);
  void Stop();

 private:
  bool Poll(const Scheduler& scheduler, const Seat& seat);
  void Sleep(const Scheduler& scheduler, Seat* seat);

  // The seats by instance. A change is a new table; the ones before stay, since wakers may be reading them.
  using Table = std::vector<Seat*>;
  void Publish(Table table);

  std::vector<std::unique_ptr<Seat>> seats_;  // all that ever were, for the same reason
  std::vector<std::unique_ptr<const Table>> tables_;
  std::atomic<const Table*> table_{nullptr};
  std::atomic<int> polling_{0};
  std::atomic<int> sleeping_{0};
  std::atomic<bool> is_stopping_{false};
};

}  // namespace workbench
