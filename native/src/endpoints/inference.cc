// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/inference.h"

#include <cstdlib>

#include "base/clock.h"
#include "endpoints/bridge.h"
#include "endpoints/error.h"
#include "endpoints/region_tensor.h"

namespace workbench {

void DeleteResponse::operator()(TRITONSERVER_InferenceResponse* response) const {
  (void)TakeStatus(TRITONSERVER_InferenceResponseDelete(response));
}

Inference::~Inference() {
  responses_.clear();
  if (request_ != nullptr) (void)TakeStatus(TRITONSERVER_InferenceRequestDelete(request_));
}

Status Inference::Begin(const std::string& model, int64_t version) {
  return TakeStatus(TRITONSERVER_InferenceRequestNew(&request_, server_, model.c_str(), version));
}

void Inference::BeginTrace(bool is_wanted) {
  if (is_wanted || TheBridge().is_tracing(server_))
    trace_ = TheBridge().begin_trace(server_, request_, is_wanted);
}

Status Inference::Send(Waiter* waiter, bool is_streaming) {
  waiter_ = waiter;
  is_streaming_ = is_streaming;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceRequestSetReleaseCallback(request_, &OnRelease, this)));
  RETURN_IF_ERROR(TakeStatus(
      TRITONSERVER_InferenceRequestSetResponseCallback(request_, Allocator(), this, &OnResponse, this)));
  left_ = 2;
  Status status = TakeStatus(TRITONSERVER_ServerInferAsync(server_, request_, nullptr));
  if (!status.ok()) left_ = 0;
  return status;
}

void Inference::Cancel() { (void)TakeStatus(TRITONSERVER_InferenceRequestCancel(request_)); }

std::vector<ResponsePtr> Inference::TakeResponses(bool* has_final) {
  MutexLock lock(&mutex_);
  if (has_final != nullptr) *has_final = has_final_;
  return std::move(responses_);
}

void Inference::OnResponse(TRITONSERVER_InferenceResponse* response, uint32_t flags, void* self) {
  auto* const inference = static_cast<Inference*>(self);
  if (inference->trace_ != nullptr) inference->trace_->Report("INFER_RESPONSE_COMPLETE", SteadyClock::Read());
  if (response != nullptr) {
    MutexLock lock(&inference->mutex_);
    inference->responses_.emplace_back(response);
    inference->has_final_ = (flags & TRITONSERVER_RESPONSE_COMPLETE_FINAL) != 0;
  }
  if ((flags & TRITONSERVER_RESPONSE_COMPLETE_FINAL) != 0) return inference->Finish();
  if (inference->is_streaming_) inference->waiter_->OnAnswer(inference, false);
}

void Inference::OnRelease(TRITONSERVER_InferenceRequest*, uint32_t flags, void* self) {
  if ((flags & TRITONSERVER_REQUEST_RELEASE_ALL) != 0) static_cast<Inference*>(self)->Finish();
}

void Inference::Finish() {
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) waiter_->OnAnswer(this, true);
}

TRITONSERVER_ResponseAllocator* Inference::Allocator() {
  static TRITONSERVER_ResponseAllocator* const allocator = [] {
    TRITONSERVER_ResponseAllocator* made = nullptr;
    (void)TakeStatus(TRITONSERVER_ResponseAllocatorNew(&made, &Allocate, &Free, nullptr));
    return made;
  }();
  return allocator;
}

TRITONSERVER_Error* Inference::Allocate(TRITONSERVER_ResponseAllocator*, const char* name, size_t byte_size,
                                        TRITONSERVER_MemoryType memory_type, int64_t, void* self,
                                        void** buffer, void** buffer_userp,
                                        TRITONSERVER_MemoryType* actual_memory_type,
                                        int64_t* actual_memory_type_id) {
  *actual_memory_type = TRITONSERVER_MEMORY_CPU;
  *actual_memory_type_id = 0;
  *buffer = nullptr;
  *buffer_userp = nullptr;  // else: not ours to free
  if (byte_size == 0) return nullptr;
  const OutputWish* const wish = static_cast<Inference*>(self)->plan_.Find(name);
  if (wish != nullptr && wish->place.region != nullptr) {
    const Result<void*> place = PlaceFor(*wish, byte_size, memory_type == TRITONSERVER_MEMORY_GPU);
    if (!place.ok()) return ErrorOf(place.status());
    *buffer = *buffer_userp = place.value();
    if (place.value() != nullptr && wish->place.region->device() != nullptr) {
      *actual_memory_type = TRITONSERVER_MEMORY_GPU;
      *actual_memory_type_id = wish->place.region->device_id();
    }
  }
  if (*buffer == nullptr) *buffer = std::malloc(byte_size);
  if (*buffer != nullptr) return nullptr;
  return ErrorOf(
      UnavailableError("no memory for the " + std::to_string(byte_size) + " bytes of output '" + name + "'"));
}

TRITONSERVER_Error* Inference::Free(TRITONSERVER_ResponseAllocator*, void* buffer, void* buffer_userp, size_t,
                                    TRITONSERVER_MemoryType, int64_t) {
  if (buffer_userp == nullptr) std::free(buffer);
  return nullptr;
}

}  // namespace workbench
