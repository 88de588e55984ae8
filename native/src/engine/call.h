// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Call: one inference as the in-process sender sees it, from submission to the last answer. Shared by the
// sender and, while it is in flight, by the core.
#pragma once

#include <atomic>
#include <deque>
#include <vector>

#include "base/mutex.h"
#include "engine/bridge.h"
#include "engine/host_memory.h"
#include "inference/inference_request.h"
#include "memory/buffer.h"

namespace workbench {

class CompletedCalls;

class Call final : public CallBridge, public std::enable_shared_from_this<Call> {
 public:
  // completed: told once the call is done; may be null.
  Call(std::shared_ptr<HostMemory> memory, std::shared_ptr<CompletedCalls> completed, std::string request_id);

  // Makes the request's answers and its release come here. The call holds itself until both have come.
  // on_device: outputs may lie where the backend wishes, else in the host's memory.
  void Attach(InferenceRequest* request, bool on_device = false);
  // Copies that the request reads, until it is released.
  void Keep(std::vector<Buffer> copies) { copies_ = std::move(copies); }
  // The request was refused: nothing will come.
  void Detach();

  uint64_t serial() const override { return serial_.load(std::memory_order_relaxed); }
  const std::string& request_id() const override { return request_id_; }
  bool Wait(uint64_t timeout_ns) override;
  bool is_done() const override { return is_done_.load(std::memory_order_acquire); }
  void Cancel() override;
  std::shared_ptr<ResponseBridge> Take(uint64_t timeout_ns) override;
  bool is_exhausted() const override;

 private:
  static void OnResponse(InferenceResponse* response, uint32_t flags, void* self);
  static void OnRelease(InferenceRequest* request, uint32_t flags, void* self);
  bool Add(std::shared_ptr<ResponseBridge> response, bool is_final);
  void Part();
  void Finish();

  // Constant.
  const std::shared_ptr<HostMemory> memory_;         // answers may outlive the engine
  const std::shared_ptr<CompletedCalls> completed_;  // shared with the engine and its reader
  const std::string request_id_;
  std::vector<Buffer> copies_;  // set before the request is sent; dropped when both parts have come

  // Self-synchronised.
  std::atomic<uint64_t> serial_{0};
  std::atomic<int> parts_left_{2};  // the final answer, and the release
  std::atomic<bool> is_done_{false};
  std::atomic<bool> has_news_{false};  // polled before sleeping

  mutable Mutex mutex_;
  CondVar changed_;
  int waiters_ GUARDED_BY(mutex_) = 0;
  std::deque<std::shared_ptr<ResponseBridge>> responses_ GUARDED_BY(mutex_);
  bool has_final_ GUARDED_BY(mutex_) = false;
  InferenceRequest* in_flight_ GUARDED_BY(mutex_) = nullptr;              // what Cancel reaches,
  InferenceRequest::SharedCancellation cancellation_ GUARDED_BY(mutex_);  // and after its release
  std::shared_ptr<Call> self_;  // set by Attach, dropped when both parts have come
};

// Calls that are done and that nobody waits for one by one.
class CompletedCalls {
 public:
  void Add(std::shared_ptr<CallBridge> call);
  std::vector<std::shared_ptr<CallBridge>> Take(uint64_t timeout_ns);

 private:
  Mutex mutex_;
  CondVar added_;
  std::vector<std::shared_ptr<CallBridge>> calls_ GUARDED_BY(mutex_);
};

}  // namespace workbench
