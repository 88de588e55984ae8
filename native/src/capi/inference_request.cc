// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Requests as senders make, send and cancel them.
#include "inference/inference_request.h"

#include "capi/error.h"
#include "engine/engine.h"

namespace workbench {
namespace {

InferenceRequest& Unwrap(TRITONSERVER_InferenceRequest* request) {
  return *FromHandle<InferenceRequest>(request);
}
Engine& Unwrap(TRITONSERVER_Server* server) { return *FromHandle<Engine>(server); }

Status NewRequest(TRITONSERVER_Server* server, const char* model, int64_t version,
                  TRITONSERVER_InferenceRequest** target) {
  ASSIGN_OR_RETURN(RequestPtr request, Unwrap(server).NewRequest(model, version));
  *target = ToHandle<TRITONSERVER_InferenceRequest>(request.release());
  return OkStatus();
}

// Who may cancel holds what tells of it: that comes with the response callback.
Status CheckCancellable(const InferenceRequest& request) {
  if (request.delivery().complete != nullptr) return OkStatus();
  return InternalError("the request has no response callback yet, so there is nothing to cancel");
}

Status InferAsync(Engine& engine, TRITONSERVER_InferenceRequest* handle, InferenceTrace* trace) {
  InferenceRequest& request = Unwrap(handle);
  if (request.is_in_inference())
    return InvalidArgumentError("the request is in inference already; wait for its release");
  if (trace != nullptr) request.SetTrace(trace);
  std::optional<Refusal> refusal = engine.Infer(RequestPtr(&request));
  if (!refusal) return OkStatus();
  if (trace != nullptr) refusal->request->ForgetTrace();
  (void)refusal->request.release();  // still the sender's
  return refusal->reason;
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_InferenceRequestNew(TRITONSERVER_InferenceRequest** inference_request,
                                                     TRITONSERVER_Server* server, const char* model_name,
                                                     const int64_t model_version) {
  return Guard([&] { return NewRequest(server, model_name, model_version, inference_request); });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestDelete(TRITONSERVER_InferenceRequest* inference_request) {
  return Guard([&] {
    if (Unwrap(inference_request).is_in_inference()) {
      return InvalidArgumentError("the request is in inference; delete it after its release");
    }
    RequestPtr(&Unwrap(inference_request)).reset();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestCancel(TRITONSERVER_InferenceRequest* inference_request) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckCancellable(Unwrap(inference_request)));
    Unwrap(inference_request).Cancel();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestIsCancelled(TRITONSERVER_InferenceRequest* inference_request,
                                                             bool* is_cancelled) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckCancellable(Unwrap(inference_request)));
    *is_cancelled = Unwrap(inference_request).is_cancelled();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetReleaseCallback(
    TRITONSERVER_InferenceRequest* inference_request,
    TRITONSERVER_InferenceRequestReleaseFn_t request_release_fn, void* request_release_userp) {
  return Guard([&] {
    Unwrap(inference_request)
        .set_release_callback(reinterpret_cast<InferenceRequest::OnRelease>(request_release_fn),
                              request_release_userp);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetResponseCallback(
    TRITONSERVER_InferenceRequest* inference_request, TRITONSERVER_ResponseAllocator* response_allocator,
    void* response_allocator_userp, TRITONSERVER_InferenceResponseCompleteFn_t response_fn,
    void* response_userp) {
  return Guard([&] {
    Unwrap(inference_request)
        .set_delivery({FromHandle<ResponseAllocator>(response_allocator), response_allocator_userp,
                       reinterpret_cast<ResponseDelivery::Complete>(response_fn), response_userp});
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerInferAsync(TRITONSERVER_Server* server,
                                                  TRITONSERVER_InferenceRequest* inference_request,
                                                  TRITONSERVER_InferenceTrace* trace) {
  return Guard(
      [&] { return InferAsync(Unwrap(server), inference_request, FromHandle<InferenceTrace>(trace)); });
}

}  // extern "C"
