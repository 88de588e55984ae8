// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The answers of a run: complete ones leave in order, on whichever thread completed one.
#include <algorithm>
#include <utility>

#include "engine/ensemble_run.h"

namespace workbench {

// One thread delivers at a time, and takes along what others add.
void EnsembleRun::Deliver() {
  MutexLock lock(&mutex_);
  if (is_delivering_) return;
  is_delivering_ = true;
  while (DeliverNext()) continue;
  is_delivering_ = false;
}

// Sends with the lock released. A model that is not decoupled answers once, with the final flag.
bool EnsembleRun::DeliverNext() {
  const bool is_complete = running_ == 0;
  const bool is_decoupled = context_.signature->is_decoupled;
  if (!answers_.empty() && (is_decoupled || is_complete)) {
    std::vector<EnsembleTensor> answer = std::move(answers_.front());
    answers_.pop_front();
    const bool is_last = is_complete && answers_.empty();
    is_final_sent_ = is_final_sent_ || is_last;
    mutex_.Unlock();
    SendAnswer(std::move(answer), is_last ? kResponseFinal : 0);
    mutex_.Lock();
    return true;
  }
  if (!is_complete || is_final_sent_) return false;
  is_final_sent_ = true;
  const Status failure = failure_;
  mutex_.Unlock();
  SendFinal(failure);
  mutex_.Lock();
  return false;
}

void EnsembleRun::SendAnswer(std::vector<EnsembleTensor> answer, uint32_t flags) {
  InferenceResponse::Ptr response = request_->NewResponse();
  Status status = Fill(response.get(), &answer);
  if (!status.ok()) {
    MutexLock lock(&mutex_);
    Fail(status);
    // The rest is told by the final response, unless this is it.
    if ((flags & kResponseFinal) == 0) return;
  }
  InferenceResponse::Send(std::move(response), flags, std::move(status));
}

Status EnsembleRun::Fill(InferenceResponse* response, std::vector<EnsembleTensor>* answer) {
  for (size_t i = 0; i < answer->size(); ++i) {
    EnsembleTensor& tensor = (*answer)[i];
    if (!tensor.is_present()) continue;
    const auto shares = std::count_if(answer->begin(), answer->end(), [&](const EnsembleTensor& other) {
      return other.response() == tensor.response();
    });
    RETURN_IF_ERROR(tensor.MoveTo(response, context_.signature->outputs[i], context_.signature->is_batched(),
                                  tensor.response().use_count() == shares));
  }
  return OkStatus();
}

void EnsembleRun::SendFinal(const Status& failure) {
  if (!failure.ok()) {
    InferenceResponse::Send(request_->NewResponse(), kResponseFinal, failure);
  } else if (context_.signature->is_decoupled) {
    if (!ResponseGate::Admit(request_->pass(), true)) return;
    request_->delivery().complete(nullptr, kResponseFinal, request_->delivery().userp);
  } else {
    InferenceResponse::Send(request_->NewResponse(), kResponseFinal, OkStatus());
  }
}

}  // namespace workbench
