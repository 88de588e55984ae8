// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The threaded scheduler and a bare event loop around the policy, given the same arrivals, form the same
// batches at the same times for the same reasons: what a simulator predicts is what the server does.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "scheduling/scheduler_fixture.h"

namespace workbench {
namespace {

constexpr uint64_t kNever = UINT64_MAX;

// Queue and policy under virtual time, as a simulator drives them.
class BareLoop {
 public:
  explicit BareLoop(const Scenario& scenario)
      : scenario_(scenario),
        queue_(scenario.options.queue),
        policy_(scenario.options.batching),
        free_at_ns_(scenario.instance_count, 0) {}

  std::vector<Step> Run() {
    entries_.resize(scenario_.arrivals.size());
    size_t next = 0;
    while (next < entries_.size() || queue_.length() > 0) {
      const uint64_t arrival_ns = next < entries_.size() ? scenario_.arrivals[next].at_ns : kNever;
      now_ns_ = std::min(look_again_ns_, NextFree());
      // What is due in the moment of an arrival comes first, as the timer does.
      if (arrival_ns < now_ns_) {
        now_ns_ = arrival_ns;
        Arrive(next++);
      }
      Look();
    }
    return steps_;
  }

 private:
  void Arrive(size_t index) {
    const Arrival& arrival = scenario_.arrivals[index];
    QueueEntry& entry = entries_[index];
    entry.arrival_ns = arrival.at_ns;
    entry.rows = arrival.rows;
    entry.shape_signature = arrival.shape;
    if (queue_.IsFull(arrival.priority)) {
      steps_.push_back({now_ns_, BatchReason::kNone, {SerialOf(&entry)}});
    } else if (!queue_.Insert(&entry, arrival.priority, 0)) {
      policy_.Restart();
    }
  }

  uint64_t NextFree() const {
    uint64_t next_ns = kNever;
    for (uint64_t at_ns : free_at_ns_) {
      if (at_ns > now_ns_) next_ns = std::min(next_ns, at_ns);
    }
    return next_ns;
  }

  void Look() {
    std::vector<QueueEntry*> rejected;
    if (queue_.Expire(now_ns_, &rejected)) policy_.Restart();
    for (QueueEntry* entry : rejected) steps_.push_back({now_ns_, BatchReason::kNone, {SerialOf(entry)}});
    for (size_t i = 0; i < free_at_ns_.size(); ++i) {
      if (free_at_ns_[i] <= now_ns_) free_at_ns_[i] = Start();
    }
    look_again_ns_ = kNever;
    const uint64_t decision_ns = policy_.Decide(queue_.head(), now_ns_).look_again_ns;
    for (uint64_t at_ns : {decision_ns, queue_.next_deadline_ns()}) {
      if (at_ns > now_ns_) look_again_ns_ = std::min(look_again_ns_, at_ns);
    }
  }

  // When the instance is free again.
  uint64_t Start() {
    const BatchDecision decision = policy_.Decide(queue_.head(), now_ns_);
    if (decision.count == 0) return now_ns_;
    Step step{now_ns_, decision.reason, {}};
    uint32_t rows = 0;
    for (uint32_t i = 0; i < decision.count; ++i) {
      rows += queue_.head()->rows;
      step.serials.push_back(SerialOf(queue_.head()));
      queue_.Remove(queue_.head());
    }
    policy_.Restart();
    steps_.push_back(std::move(step));
    return now_ns_ + scenario_.service_ns[rows - 1];
  }

  uint64_t SerialOf(const QueueEntry* entry) const {
    return static_cast<uint64_t>(entry - entries_.data()) + 1;
  }

  const Scenario& scenario_;
  RequestQueue queue_;
  BatchPolicy policy_;
  std::vector<QueueEntry> entries_;
  std::vector<uint64_t> free_at_ns_;
  std::vector<Step> steps_;
  uint64_t now_ns_ = 0;
  uint64_t look_again_ns_ = kNever;
};

TEST(PolicyEquivalenceTest, SchedulerAndBareLoopFormTheSameBatches) {
  for (uint32_t seed = 0; seed < 2'000; ++seed) {
    const Scenario scenario = Draw(seed);
    const std::vector<Step> predicted = Ordered(BareLoop(scenario).Run());
    const std::vector<Step> served = Ordered(ThreadedLoop(scenario).Run());
    ASSERT_EQ(predicted.size(), served.size()) << "seed " << seed;
    for (size_t i = 0; i < predicted.size(); ++i) {
      ASSERT_EQ(predicted[i], served[i]) << "seed " << seed << ", step " << i;
    }
  }
}

}  // namespace
}  // namespace workbench
