// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulated_model.h"

#include <algorithm>
#include <utility>

namespace workbench {

SimulatedModel::SimulatedModel(Options options, SimulationSink* sink)
    : options_(std::move(options)),
      sink_(sink),
      queue_(options_.queue),
      policy_(options_.batching),
      processor_(options_.service.speeds),
      factor_(options_.service.spread, options_.seed),
      pause_cost_(options_.service.after_pause),
      idle_since_ns_(options_.instance_count, 0) {
  running_.reserve(options_.instance_count);
  ended_.reserve(options_.instance_count);
  waking_.reserve(options_.instance_count);
}

bool SimulatedModel::Insert(SimulatedRequest* request, uint64_t now_ns) {
  if (queue_.IsFull(request->priority)) {
    sink_->OnRefused(request, now_ns, false);
    return false;
  }
  const bool is_last = queue_.Insert(request, request->priority, request->timeout_ns);
  if (!is_last) policy_.Restart();  // as the scheduler does: it may stand before what was looked at already
  return true;
}

void SimulatedModel::Arrive(SimulatedRequest* request, uint64_t now_ns) {
  if (!Insert(request, now_ns)) return;
  if (queue_.next_deadline_ns() != 0) Expire(now_ns);
  if (has_idle()) Offer(now_ns);
  FindNext();
}

void SimulatedModel::Advance(uint64_t now_ns) {
  if (queue_.next_deadline_ns() != 0) Expire(now_ns);
  if (end_ns_ <= now_ns) Finish(now_ns);
  if (!waking_.empty()) Wake(now_ns);
  if (has_idle()) Offer(now_ns);
  FindNext();
}

void SimulatedModel::SetOthers(size_t count, uint64_t now_ns) {
  if (count == others_) return;
  others_ = count;
  processor_.SetActive(running_.size() + others_, now_ns);
  has_changed_ = true;
  FindNext();
}

void SimulatedModel::Expire(uint64_t now_ns) {
  if (!queue_.Expire(now_ns, &expired_)) return;
  policy_.Restart();
  for (QueueEntry* entry : expired_) sink_->OnRefused(static_cast<SimulatedRequest*>(entry), now_ns, true);
  expired_.clear();
}

// Whoever is done takes what waits by itself, and needs nobody to wake it.
void SimulatedModel::Finish(uint64_t now_ns) {
  const SharedProcessor::Work done = processor_.DoneBy(now_ns);
  size_t kept = 0;
  for (const Execution& execution : running_) {
    if (execution.end > done) {
      running_[kept++] = execution;
    } else {
      ended_.push_back(execution);
    }
  }
  running_.resize(kept);
  const uint64_t answered_ns = now_ns - std::min(options_.service.turnaround_ns, now_ns);
  for (const Execution& execution : ended_) sink_->OnExecuted(execution, answered_ns);
  size_t freed = ended_.size();
  ended_.clear();
  processor_.SetActive(running_.size() + others_, now_ns);
  has_changed_ = true;
  while (freed > 0 && Take(now_ns, now_ns)) --freed;
  idle_since_ns_.insert(idle_since_ns_.end(), freed, now_ns);
}

uint64_t SimulatedModel::TakeIdle() {
  const uint64_t since_ns = idle_since_ns_.back();
  idle_since_ns_.pop_back();
  return since_ns;
}

void SimulatedModel::Wake(uint64_t now_ns) {
  while (!waking_.empty() && waking_.front().at_ns <= now_ns) {
    const uint64_t since_ns = waking_.front().idle_since_ns;
    waking_.erase(waking_.begin());
    if (!Take(now_ns, since_ns)) idle_since_ns_.push_back(since_ns);
  }
}

// What is ready goes to idle instances.
void SimulatedModel::Offer(uint64_t now_ns) {
  look_again_ns_ = kNever;
  if (options_.service.wake_ns == 0) {
    while (has_idle() && Take(now_ns, idle_since_ns_.back())) idle_since_ns_.pop_back();
    return;
  }
  const BatchDecision decision = policy_.Decide(queue_.head(), now_ns);
  if (decision.count > 0) {
    waking_.push_back({now_ns + options_.service.wake_ns, TakeIdle()});
  } else if (decision.look_again_ns > 0) {
    look_again_ns_ = decision.look_again_ns + options_.service.timer_late_ns;
  }
}

bool SimulatedModel::Take(uint64_t now_ns, uint64_t idle_since_ns) {
  const BatchDecision decision = policy_.Decide(queue_.head(), now_ns);
  if (decision.count > 0) {
    Start(decision, now_ns, idle_since_ns);
    return true;
  }
  look_again_ns_ =
      decision.look_again_ns > 0 ? decision.look_again_ns + options_.service.timer_late_ns : kNever;
  return false;
}

void SimulatedModel::Start(const BatchDecision& decision, uint64_t now_ns, uint64_t idle_since_ns) {
  Execution execution;
  execution.first = static_cast<SimulatedRequest*>(queue_.head());
  execution.count = decision.count;
  execution.reason = decision.reason;
  execution.start_ns = now_ns;
  for (uint32_t i = 0; i < decision.count; ++i) {
    execution.rows += queue_.head()->rows;
    queue_.Remove(queue_.head());  // its link to the next one stays
  }
  policy_.Restart();
  processor_.SetActive(running_.size() + 1 + others_, now_ns);
  execution.end =
      processor_.EndOf(ServiceTime(execution.rows, now_ns - idle_since_ns) + options_.service.turnaround_ns);
  running_.push_back(execution);
  has_changed_ = true;
}

uint64_t SimulatedModel::ServiceTime(uint32_t rows, uint64_t pause_ns) {
  const std::vector<uint64_t>& times = options_.service.service_ns;
  return factor_.Scale(times[std::min<size_t>(rows, times.size()) - 1]) + pause_cost_.After(pause_ns);
}

void SimulatedModel::FindEnd() {
  has_changed_ = false;
  end_ns_ = kNever;
  for (const Execution& execution : running_) {
    end_ns_ = std::min(end_ns_, processor_.TimeOf(execution.end));
  }
}

void SimulatedModel::FindNext() {
  if (has_changed_) FindEnd();
  next_ns_ = std::min(end_ns_, has_idle() ? look_again_ns_ : kNever);
  if (!waking_.empty()) next_ns_ = std::min(next_ns_, waking_.front().at_ns);
  if (const uint64_t deadline_ns = queue_.next_deadline_ns()) next_ns_ = std::min(next_ns_, deadline_ns);
}

}  // namespace workbench
