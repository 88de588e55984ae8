// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ResponseOrder: makes answers leave in the order in which their requests came, across instances. Shared by
// the scheduler and by every answer that is still to come. Any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include "base/mutex.h"
#include "inference/inference_request.h"

namespace workbench {

class ResponseOrder : public std::enable_shared_from_this<ResponseOrder> {
 public:
  // From now on the request's answers leave after all answers to those enrolled before it.
  void Enroll(InferenceRequest* request);
  // The request, enrolled last on this thread, was refused after all: it holds nobody back, and is as it
  // came.
  void Withdraw(InferenceRequest* request);

 private:
  // The answers to one request that may not leave yet.
  struct Slot {
    std::shared_ptr<ResponseOrder> order;
    ResponseDelivery delivery;
    std::deque<std::pair<InferenceResponse*, uint32_t>> held;
    bool has_final = false;
  };

  static void OnResponse(InferenceResponse* response, uint32_t flags, void* slot);
  void Hold(Slot* slot, InferenceResponse* response, uint32_t flags);
  void Deliver() REQUIRES(mutex_);

  Mutex mutex_;
  std::deque<std::unique_ptr<Slot>> slots_ GUARDED_BY(mutex_);
  bool is_delivering_ GUARDED_BY(mutex_) = false;  // some thread delivers: it takes along what others add
};

}  // namespace workbench
