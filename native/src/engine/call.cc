// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/call.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "engine/response.h"

namespace workbench {
namespace {

constexpr uint32_t kReleaseAll = 1;  // TRITONSERVER_REQUEST_RELEASE_ALL
// Most answers of small models come within this; waking a thread that sleeps costs as much.
constexpr uint64_t kPollNs = 50'000;

// Polls for a while without taking the processor from those who have work.
template <typename Condition>
void PollFor(uint64_t duration_ns, const Condition& condition) {
  const uint64_t end_ns = SteadyClock::Read() + duration_ns;
  while (!condition() && SteadyClock::Read() < end_ns) sched_yield();
}

}  // namespace

Call::Call(std::shared_ptr<HostMemory> memory, std::shared_ptr<CompletedCalls> completed,
           std::string request_id)
    : memory_(std::move(memory)), completed_(std::move(completed)), request_id_(std::move(request_id)) {}

void Call::Attach(InferenceRequest* request, bool on_device) {
  ResponseAllocator& allocator = on_device ? memory_->device_allocator() : memory_->allocator();
  request->set_delivery({&allocator, nullptr, &Call::OnResponse, this});
  request->AddReleaseCallback(&Call::OnRelease, this);
  self_ = shared_from_this();
  MutexLock lock(&mutex_);
  in_flight_ = request;
}

void Call::Detach() {
  {
    MutexLock lock(&mutex_);
    in_flight_ = nullptr;
  }
  self_.reset();
}

void Call::Cancel() {
  MutexLock lock(&mutex_);
  if (in_flight_ != nullptr) in_flight_->Cancel();
  if (cancellation_) cancellation_->store(true, std::memory_order_release);
}

void Call::OnResponse(InferenceResponse* raw, uint32_t flags, void* self) {
  Call* const call = static_cast<Call*>(self);
  const bool is_final = (flags & kResponseFinal) != 0;
  if (call->Add(std::make_shared<Response>(call->memory_, InferenceResponse::Ptr(raw), is_final), is_final))
    call->Part();
}

void Call::OnRelease(InferenceRequest* raw, uint32_t flags, void* self) {
  if ((flags & kReleaseAll) == 0) return;
  Call* const call = static_cast<Call*>(self);
  call->serial_.store(raw->serial(), std::memory_order_relaxed);
  {
    MutexLock lock(&call->mutex_);
    call->in_flight_ = nullptr;
    call->cancellation_ = raw->shared_cancellation();
  }
  RequestPtr(raw).reset();
  call->Part();
}

// True for the first final answer; a backend that sends a second one is not heard.
bool Call::Add(std::shared_ptr<ResponseBridge> response, bool is_final) {
  MutexLock lock(&mutex_);
  if (has_final_) return false;
  responses_.push_back(std::move(response));
  has_final_ = is_final;
  has_news_.store(true, std::memory_order_release);
  if (waiters_ > 0) changed_.NotifyAll();
  return is_final;
}

void Call::Part() {
  if (parts_left_.fetch_sub(1, std::memory_order_acq_rel) == 1) Finish();
}

void Call::Finish() {
  const std::shared_ptr<Call> self = std::move(self_);
  if (!copies_.empty()) copies_.clear();
  {
    MutexLock lock(&mutex_);
    is_done_.store(true, std::memory_order_release);
    has_news_.store(true, std::memory_order_release);
    if (waiters_ > 0) changed_.NotifyAll();
  }
  if (completed_) completed_->Add(self);
}

bool Call::Wait(uint64_t timeout_ns) {
  PollFor(std::min(kPollNs, timeout_ns), [this] { return is_done(); });
  if (is_done()) return true;
  const uint64_t deadline_ns = SteadyClock::Read() + timeout_ns;
  MutexLock lock(&mutex_);
  ++waiters_;
  while (!is_done() && SteadyClock::Read() < deadline_ns) changed_.WaitUntil(&mutex_, deadline_ns);
  --waiters_;
  return is_done();
}

std::shared_ptr<ResponseBridge> Call::Take(uint64_t timeout_ns) {
  PollFor(std::min(kPollNs, timeout_ns), [this] { return has_news_.load(std::memory_order_acquire); });
  const uint64_t deadline_ns = SteadyClock::Read() + timeout_ns;
  MutexLock lock(&mutex_);
  ++waiters_;
  while (responses_.empty() && !has_final_ && SteadyClock::Read() < deadline_ns) {
    changed_.WaitUntil(&mutex_, deadline_ns);
  }
  --waiters_;
  if (responses_.empty()) return nullptr;
  std::shared_ptr<ResponseBridge> response = std::move(responses_.front());
  responses_.pop_front();
  if (responses_.empty() && !has_final_) has_news_.store(false, std::memory_order_release);
  return response;
}

bool Call::is_exhausted() const {
  MutexLock lock(&mutex_);
  return has_final_ && responses_.empty();
}

void CompletedCalls::Add(std::shared_ptr<CallBridge> call) {
  MutexLock lock(&mutex_);
  calls_.push_back(std::move(call));
  added_.NotifyOne();
}

std::vector<std::shared_ptr<CallBridge>> CompletedCalls::Take(uint64_t timeout_ns) {
  const uint64_t deadline_ns = SteadyClock::Read() + timeout_ns;
  std::vector<std::shared_ptr<CallBridge>> taken;
  MutexLock lock(&mutex_);
  while (calls_.empty() && SteadyClock::Read() < deadline_ns) added_.WaitUntil(&mutex_, deadline_ns);
  taken.swap(calls_);
  return taken;
}

}  // namespace workbench
