// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/dynamic_scheduler.h"

#include <algorithm>
#include <utility>

#include "base/patience.h"

namespace workbench {
namespace {

uint64_t Earlier(uint64_t a_ns, uint64_t b_ns) {  // 0: never
  if (a_ns == 0 || b_ns == 0) return std::max(a_ns, b_ns);
  return std::min(a_ns, b_ns);
}

InferenceRequest* RequestOf(QueueEntry* entry) { return static_cast<InferenceRequest*>(entry); }

void Insert(RequestQueue* queue, BatchPolicy* policy, InferenceRequest* request) {
  const bool is_last = queue->Insert(request, request->priority(), request->timeout_us() * 1000);
  if (!is_last) policy->Restart();  // it may stand before what was looked at already
}

}  // namespace

DynamicScheduler::DynamicScheduler(SchedulingOptions options, const Clock& clock, Timer& timer,
                                   BatchRunner& runner)
    : clock_(clock),
      runner_(runner),
      deadline_(timer.Subscribe([this](uint64_t now_ns) { return OnDeadline(now_ns); })),
      policy_(std::move(options.batching)),
      queue_(std::make_unique<RequestQueue>(std::move(options.queue))),
      order_(options.preserve_ordering ? std::make_shared<ResponseOrder>() : nullptr) {}

DynamicScheduler::~DynamicScheduler() { Stop(); }

void DynamicScheduler::Stop() {
  const Patience patience;
  deadline_->Cancel();
  Batch left;
  {
    MutexLock lock(&mutex_);
    Pop(static_cast<uint32_t>(queue_->length()), &left);
  }
  for (InferenceRequest* request : left.requests) {
    InferenceRequest::Fail(RequestPtr(request),
                           UnavailableError("the model was unloaded before the request could run"));
  }
}

std::optional<Refusal> DynamicScheduler::Enqueue(RequestPtr request) {
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    if (queue_->IsFull(request->priority())) {
      return Refusal{UnavailableError("the queue of model '" + request->signature().name +
                                      "' holds as many requests as its max_queue_size allows"),
                     std::move(request)};
    }
    InferenceRequest* const entry = request.release();
    if (order_) order_->Enroll(entry);
    Insert(queue_.get(), &policy_, entry);
    outcome = Look(entry->arrival_ns);
  }
  Act(outcome);
  return std::nullopt;
}

uint64_t DynamicScheduler::NowIfNeeded() const {
  return policy_.is_immediate() && queue_->next_deadline_ns() == 0 ? 0 : clock_.NowNs();
}

BatchDecision DynamicScheduler::Decide(uint64_t now_ns) {
  BatchDecision decision = policy_.Decide(queue_->head(), now_ns);
  if (is_flushing_ && decision.count == 0 && queue_->head() != nullptr) {
    decision = policy_.Decide(queue_->head(), UINT64_MAX);
    decision.reason = BatchReason::kShutdown;
  }
  return decision;
}

DynamicScheduler::Outcome DynamicScheduler::Look(uint64_t now_ns) {
  Outcome outcome;
  if (queue_->next_deadline_ns() != 0 && queue_->Expire(now_ns, &outcome.rejected)) policy_.Restart();
  const BatchDecision decision = Decide(now_ns);
  outcome.is_ready = decision.count > 0;
  outcome.look_again_ns = Earlier(decision.look_again_ns, queue_->next_deadline_ns());
  has_ready_.store(outcome.is_ready, std::memory_order_seq_cst);
  length_.store(queue_->length(), std::memory_order_relaxed);
  return outcome;
}

void DynamicScheduler::Act(const Outcome& outcome) {
  if (outcome.is_ready) runner_.WakeOne();
  if (outcome.look_again_ns > 0) deadline_->CallBy(outcome.look_again_ns);
  for (QueueEntry* entry : outcome.rejected) {
    InferenceRequest::Fail(RequestPtr(RequestOf(entry)),
                           UnavailableError("the request's time in the queue is up"));
  }
}

void DynamicScheduler::Pop(uint32_t count, Batch* batch) {
  for (uint32_t i = 0; i < count; ++i) {
    InferenceRequest* const request = RequestOf(queue_->head());
    queue_->Remove(request);
    batch->requests.push_back(request);
  }
  policy_.Restart();
}

bool DynamicScheduler::Take(uint32_t instance, Batch* batch) {
  batch->requests.clear();
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    const uint64_t now_ns = NowIfNeeded();
    if (queue_->next_deadline_ns() != 0 && queue_->Expire(now_ns, &outcome.rejected)) policy_.Restart();
    const BatchDecision decision = Decide(now_ns);
    batch->reason = decision.reason;
    if (decision.count > 0) Pop(decision.count, batch);
    Outcome rest = Look(now_ns);
    rest.rejected.swap(outcome.rejected);
    outcome = std::move(rest);
  }
  Act(outcome);
  return !batch->requests.empty();
}

uint64_t DynamicScheduler::OnDeadline(uint64_t now_ns) {
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    outcome = Look(now_ns);
  }
  const uint64_t next_ns = std::exchange(outcome.look_again_ns, 0);  // told to the timer by returning it
  Act(outcome);
  return next_ns > 0 ? next_ns : Timer::kNever;
}

void DynamicScheduler::Reconfigure(SchedulingOptions options) {
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    policy_.Restart();
    policy_ = BatchPolicy(std::move(options.batching));
    auto queue = std::make_unique<RequestQueue>(std::move(options.queue));
    while (QueueEntry* const entry = queue_->head()) {
      queue_->Remove(entry);
      Insert(queue.get(), &policy_, RequestOf(entry));
    }
    queue_ = std::move(queue);
    if (options.preserve_ordering != (order_ != nullptr)) {
      order_ = options.preserve_ordering ? std::make_shared<ResponseOrder>() : nullptr;
    }
    outcome = Look(clock_.NowNs());
  }
  Act(outcome);
}

std::vector<QueueLevel> DynamicScheduler::queue_levels() const {
  MutexLock lock(&mutex_);
  return queue_->levels();
}

void DynamicScheduler::Flush() {
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    is_flushing_ = true;
    outcome = Look(clock_.NowNs());
  }
  Act(outcome);
}

}  // namespace workbench
