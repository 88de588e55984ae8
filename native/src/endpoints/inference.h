// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Inference: one request of a client on its way through the core, and the answers that came. Protocols read
// their message into request() and plan(), send, and turn what is taken into their reply.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "endpoints/infer_plan.h"
#include "engine/trace_bridge.h"
#include "triton/core/tritonserver.h"

namespace workbench {

struct DeleteResponse {
  void operator()(TRITONSERVER_InferenceResponse* response) const;
};
using ResponsePtr = std::unique_ptr<TRITONSERVER_InferenceResponse, DeleteResponse>;

class Inference {
 public:
  // Whoever waits for answers. Called on the core's threads: it must not block.
  class Waiter {
   public:
    virtual ~Waiter() = default;
    // is_last: nothing more comes, and the core has let go of the request. Only then may the inference end.
    virtual void OnAnswer(Inference* inference, bool is_last) = 0;
  };

  explicit Inference(TRITONSERVER_Server* server) : server_(server) {}
  // REQUIRES: not sent, or its waiter was told of the last answer.
  ~Inference();
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  // A request for that model, to be filled.
  Status Begin(const std::string& model, int64_t version);
  TRITONSERVER_InferenceRequest* request() const { return request_; }
  InferPlan& plan() { return plan_; }
  // Before Send, when all else is told: hears of the request's way where it is its turn to be traced, or
  // where that is wanted.
  void BeginTrace(bool is_wanted);
  // Null where it is not traced.
  const std::shared_ptr<TraceBridge>& trace() const { return trace_; }
  // The waiter is told when all is done, or, where it streams, of every answer too; unless this fails.
  Status Send(Waiter* waiter, bool is_streaming = false);
  // Asks the core to give up. Any time after Send, on the protocol's thread.
  void Cancel();

  // Answers that came since the last call, oldest first. has_final: whether one of them, the last, said that
  // it is.
  std::vector<ResponsePtr> TakeResponses(bool* has_final = nullptr) EXCLUDES(mutex_);

 private:
  static void OnResponse(TRITONSERVER_InferenceResponse* response, uint32_t flags, void* self);
  static void OnRelease(TRITONSERVER_InferenceRequest* request, uint32_t flags, void* self);
  static TRITONSERVER_ResponseAllocator* Allocator();
  static TRITONSERVER_Error* Allocate(TRITONSERVER_ResponseAllocator* allocator, const char* name,
                                      size_t byte_size, TRITONSERVER_MemoryType memory_type,
                                      int64_t memory_type_id, void* self, void** buffer, void** buffer_userp,
                                      TRITONSERVER_MemoryType* actual_memory_type,
                                      int64_t* actual_memory_type_id);
  static TRITONSERVER_Error* Free(TRITONSERVER_ResponseAllocator* allocator, void* buffer, void* buffer_userp,
                                  size_t byte_size, TRITONSERVER_MemoryType memory_type,
                                  int64_t memory_type_id);
  void Finish();

  TRITONSERVER_Server* const server_;
  TRITONSERVER_InferenceRequest* request_ = nullptr;
  InferPlan plan_;
  std::shared_ptr<TraceBridge> trace_;  // with the core, and with whoever answers
  Waiter* waiter_ = nullptr;
  bool is_streaming_ = false;
  std::atomic<int> left_{0};  // of the last response and the release
  Mutex mutex_;
  std::vector<ResponsePtr> responses_ GUARDED_BY(mutex_);
  bool has_final_ GUARDED_BY(mutex_) = false;
};

}  // namespace workbench
