// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SequenceScheduler: serves models whose requests come in sequences. Slots, batchers and deadline glued
// together; it has no thread. Each instance runs the sequences of its own slots.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/timer.h"
#include "events/event_sink.h"
#include "scheduling/batch_runner.h"
#include "scheduling/scheduler.h"
#include "scheduling/sequence/batch_equipment.h"
#include "scheduling/sequence/sequence_batcher.h"
#include "scheduling/sequence/sequence_slots.h"

namespace workbench {

class SequenceScheduler final : public Scheduler {
 public:
  // What the scheduler borrows, which outlives it, and what it needs to know of its model.
  struct Context {
    const Clock* clock = nullptr;
    Timer* timer = nullptr;
    BatchRunner* runner = nullptr;
    MemoryResource* memory = nullptr;
    std::vector<uint32_t> instances = {0};  // those that execute, by their indices in the model
    bool is_batched = false;                // tensors have a batch dimension
    EventSink* events = nullptr;            // null: nobody asks
    uint16_t model_number = 0;              // in events
  };

  // REQUIRES: options.sequence.is_enabled().
  SequenceScheduler(const SchedulingOptions& options, const Context& context);
  ~SequenceScheduler() override;

  std::optional<Refusal> Enqueue(RequestPtr request) override;
  bool Take(uint32_t instance, Batch* batch) override;
  bool has_ready(uint32_t instance) const override {
    return ready_[positions_[instance]].value.load(std::memory_order_seq_cst);
  }
  size_t queue_length() const override { return length_.load(std::memory_order_relaxed); }
  size_t open_sequences() const override;
  bool Continues(const InferenceRequest& request) const override;
  void CutSequences() override;
  void OnReleased(InferenceRequest* request) override;
  Status Reschedule(InferenceRequest* request) override;
  void Reconfigure(SchedulingOptions options) override;
  void Flush() override;
  void Stop() override;

 private:
  struct alignas(64) Flag {
    std::atomic<bool> value{false};
  };
  // What is to be done once the lock is released.
  struct Outcome {
    static constexpr uint32_t kNobody = UINT32_MAX;
    static constexpr uint32_t kEverybody = UINT32_MAX - 1;
    uint32_t ready = kNobody;  // whom to wake
    uint64_t look_again_ns = 0;
    EntryList cancelled;
    EntryList expired;
  };

  Status Admit(InferenceRequest* request, Outcome* outcome) REQUIRES(mutex_);
  void GiveId(InferenceRequest* request) REQUIRES(mutex_);
  Status NoStart(const InferenceRequest& request) const;
  void Enter(Sequence* sequence, uint64_t now_ns, Outcome* outcome) REQUIRES(mutex_);
  // An instance is meant by its position, from here on.
  BatchDecision Decide(uint32_t position, uint64_t now_ns) REQUIRES(mutex_);
  void Look(uint32_t position, uint64_t now_ns, Outcome* outcome) REQUIRES(mutex_);
  void LookAtAll(uint64_t now_ns, Outcome* outcome) REQUIRES(mutex_);
  void Collect(uint32_t position, Batch* batch, Outcome* outcome) REQUIRES(mutex_);
  void Settle(Sequence* sequence, uint64_t now_ns, Outcome* outcome) REQUIRES(mutex_);
  void ProvideStates(const Batch& batch) REQUIRES(mutex_);
  uint64_t OnDeadline(uint64_t now_ns);
  void Act(Outcome* outcome);

  // Constant.
  const Context context_;
  const SequenceOptions options_;          // save what Reconfigure takes
  const std::vector<uint32_t> positions_;  // of an instance among those that execute
  std::unique_ptr<Timer::Subscription> deadline_;

  // Self-synchronised.
  BatchEquipment equipment_;
  std::unique_ptr<Flag[]> ready_;  // by position
  std::atomic<size_t> length_{0};

  mutable Mutex mutex_;
  SequenceSlots slots_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<SequenceBatcher>> batchers_ GUARDED_BY(mutex_);  // by position
  std::vector<std::unique_ptr<SequenceStates>> states_ GUARDED_BY(mutex_);     // all there are
  uint64_t next_own_id_ GUARDED_BY(mutex_) = (uint64_t{1} << 63) + 1;          // no sender counts that far
  bool is_flushing_ GUARDED_BY(mutex_) = false;
  bool is_stopped_ GUARDED_BY(mutex_) = false;
};

}  // namespace workbench
