// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/dynamic_scheduler.h"

#include <utility>

namespace workbench {

DynamicScheduler::DynamicScheduler(BatchingOptions options, const Clock& clock, Timer& timer,
                                   BatchRunner& runner)
    : clock_(clock),
      runner_(runner),
      deadline_(timer.Subscribe([this](uint64_t now_ns) { return OnDeadline(now_ns); })),
      policy_(std::move(options)) {}

DynamicScheduler::~DynamicScheduler() {
  deadline_.reset();
  Batch left;
  {
    MutexLock lock(&mutex_);
    Pop(static_cast<uint32_t>(length_.load()), &left);
  }
  for (InferenceRequest* request : left.requests) {
    InferenceRequest::Fail(RequestPtr(request),
                           UnavailableError("the model was unloaded before the request could run"));
  }
}

std::optional<Refusal> DynamicScheduler::Enqueue(RequestPtr request) {
  BatchDecision decision;
  {
    MutexLock lock(&mutex_);
    InferenceRequest* const entry = request.release();
    entry->next = nullptr;
    if (tail_ != nullptr) {
      tail_->next = entry;
    } else {
      head_ = entry;
    }
    tail_ = entry;
    length_.store(length_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    decision = Decide(entry->arrival_ns);
  }
  if (decision.count > 0) {
    runner_.WakeOne();
  } else if (decision.look_again_ns > 0) {
    deadline_->CallBy(decision.look_again_ns);
  }
  return std::nullopt;
}

BatchDecision DynamicScheduler::Decide(uint64_t now_ns) {
  BatchDecision decision = policy_.Decide(head_, now_ns);
  if (is_flushing_ && decision.count == 0 && head_ != nullptr) {
    decision = policy_.Decide(head_, UINT64_MAX);
    decision.reason = BatchReason::kShutdown;
  }
  has_ready_.store(decision.count > 0, std::memory_order_seq_cst);
  return decision;
}

void DynamicScheduler::Pop(uint32_t count, Batch* batch) {
  for (uint32_t i = 0; i < count; ++i) {
    batch->requests.push_back(head_);
    head_ = static_cast<InferenceRequest*>(head_->next);
  }
  if (head_ == nullptr) tail_ = nullptr;
  length_.store(length_.load(std::memory_order_relaxed) - count, std::memory_order_relaxed);
  policy_.Restart();
}

bool DynamicScheduler::Take(Batch* batch) {
  batch->requests.clear();
  BatchDecision next;
  {
    MutexLock lock(&mutex_);
    const uint64_t now_ns = NowIfNeeded();
    const BatchDecision decision = Decide(now_ns);
    if (decision.count == 0) {
      next = decision;
    } else {
      batch->reason = decision.reason;
      Pop(decision.count, batch);
      next = Decide(now_ns);
    }
  }
  if (next.count > 0) runner_.WakeOne();
  if (next.look_again_ns > 0) deadline_->CallBy(next.look_again_ns);
  return !batch->requests.empty();
}

uint64_t DynamicScheduler::OnDeadline(uint64_t now_ns) {
  BatchDecision decision;
  {
    MutexLock lock(&mutex_);
    decision = Decide(now_ns);
  }
  if (decision.count > 0) runner_.WakeOne();
  return decision.look_again_ns > 0 ? decision.look_again_ns : Timer::kNever;
}

void DynamicScheduler::Look() {
  const uint64_t next_ns = OnDeadline(clock_.NowNs());
  if (next_ns != Timer::kNever) deadline_->CallBy(next_ns);
}

void DynamicScheduler::Reconfigure(BatchingOptions options) {
  {
    MutexLock lock(&mutex_);
    policy_ = BatchPolicy(std::move(options));
  }
  Look();
}

void DynamicScheduler::Flush() {
  {
    MutexLock lock(&mutex_);
    is_flushing_ = true;
  }
  Look();
}

}  // namespace workbench
