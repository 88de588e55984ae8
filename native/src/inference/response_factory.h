// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ResponseFactory: makes the answers of a request that may have been released already. Owned by the backend;
// any thread, one at a time.
#pragma once

#include <string>

#include "inference/inference_request.h"

namespace workbench {

class ResponseFactory {
 public:
  explicit ResponseFactory(InferenceRequest* request)
      : target_(request->target()),
        id_(request->id()),
        delivery_(request->delivery()),
        pass_(request->pass()),
        cancellation_(request->ShareCancellation()),
        observer_(request->observer()) {
    target_->AddReference();
    target_->AddInFlight();
  }
  ~ResponseFactory() {
    target_->RemoveInFlight();
    target_->RemoveReference();
  }
  ResponseFactory(const ResponseFactory&) = delete;
  ResponseFactory& operator=(const ResponseFactory&) = delete;

  InferenceResponse::Ptr NewResponse() const {
    InferenceResponse::Ptr response = InferenceResponse::New(target_->signature(), id_, delivery_, pass_);
    if (observer_) response->set_observer(observer_);
    return response;
  }
  // A message without a response. INVALID_ARGUMENT once the final one was sent.
  Status SendFlags(uint32_t flags) const {
    if (!ResponseGate::Admit(pass_, (flags & kResponseFinal) != 0)) {
      return InvalidArgumentError("the request's final response was sent already; nothing can follow it");
    }
    delivery_.complete(nullptr, flags, delivery_.userp);
    return OkStatus();
  }
  // Counts the responses that are reported of.
  uint32_t NextIndex() { return next_index_.fetch_add(1, std::memory_order_relaxed); }
  bool is_cancelled() const { return cancellation_->load(std::memory_order_acquire); }

 private:
  InferenceTarget* const target_;
  const std::string id_;
  const ResponseDelivery delivery_;
  const ResponseGate::Pass pass_;
  const InferenceRequest::SharedCancellation cancellation_;  // with the request and whoever may cancel it
  const std::shared_ptr<ResponseObserver> observer_;         // with the request and the responses
  std::atomic<uint32_t> next_index_{0};
};

}  // namespace workbench
