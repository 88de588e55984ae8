// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Requests as senders make them.
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

Status InferAsync(Engine& engine, TRITONSERVER_InferenceRequest* handle) {
  InferenceRequest& request = Unwrap(handle);
  if (request.is_in_inference())
    return InvalidArgumentError("the request is in inference already; wait for its release");
  std::optional<Refusal> refusal = engine.Infer(RequestPtr(&request));
  if (!refusal) return OkStatus();
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

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetId(TRITONSERVER_InferenceRequest* inference_request,
                                                       const char* id) {
  return Guard([&] {
    Unwrap(inference_request).set_id(id);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetFlags(TRITONSERVER_InferenceRequest* inference_request,
                                                          uint32_t flags) {
  return Guard([&] {
    Unwrap(inference_request).set_flags(flags);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetCorrelationId(
    TRITONSERVER_InferenceRequest* inference_request, uint64_t correlation_id) {
  return Guard([&] {
    Unwrap(inference_request).set_correlation_id(correlation_id);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestCancel(TRITONSERVER_InferenceRequest* inference_request) {
  return Guard([&] {
    Unwrap(inference_request).Cancel();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestAddInput(TRITONSERVER_InferenceRequest* inference_request,
                                                          const char* name,
                                                          const TRITONSERVER_DataType datatype,
                                                          const int64_t* shape, uint64_t dim_count) {
  return Guard([&] {
    return Unwrap(inference_request).AddInput(name, static_cast<DataType>(datatype), shape, dim_count);
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestAppendInputData(
    TRITONSERVER_InferenceRequest* inference_request, const char* name, const void* base, size_t byte_size,
    TRITONSERVER_MemoryType memory_type, int64_t memory_type_id) {
  return Guard([&] {
    const MemoryPlace place{static_cast<MemoryType>(memory_type), memory_type_id};
    return Unwrap(inference_request).AppendInputData(name, base, byte_size, place);
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestAddRequestedOutput(
    TRITONSERVER_InferenceRequest* inference_request, const char* name) {
  return Guard([&] { return Unwrap(inference_request).AddRequestedOutput(name); });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetReleaseCallback(
    TRITONSERVER_InferenceRequest* inference_request,
    TRITONSERVER_InferenceRequestReleaseFn_t request_release_fn, void* request_release_userp) {
  return Guard([&] {
    Unwrap(inference_request)
        .AddReleaseCallback(reinterpret_cast<InferenceRequest::OnRelease>(request_release_fn),
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
  return Guard([&] { return InferAsync(Unwrap(server), inference_request); });
}

}  // extern "C"
