// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The tensors of a request: inputs with their bytes, and the outputs that are wanted.
#include "capi/error.h"
#include "inference/inference_request.h"

namespace workbench {
namespace {

InferenceRequest& Unwrap(TRITONSERVER_InferenceRequest* request) {
  return *FromHandle<InferenceRequest>(request);
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_InferenceRequestAddInput(TRITONSERVER_InferenceRequest* inference_request,
                                                          const char* name,
                                                          const TRITONSERVER_DataType datatype,
                                                          const int64_t* shape, uint64_t dim_count) {
  return Guard([&] {
    return Unwrap(inference_request).AddInput(name, static_cast<DataType>(datatype), shape, dim_count);
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestAddRawInput(TRITONSERVER_InferenceRequest* inference_request,
                                                             const char* name) {
  return Guard([&] { return Unwrap(inference_request).AddRawInput(name); });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestRemoveInput(TRITONSERVER_InferenceRequest* inference_request,
                                                             const char* name) {
  return Guard([&] { return Unwrap(inference_request).RemoveInput(name); });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestRemoveAllInputs(
    TRITONSERVER_InferenceRequest* inference_request) {
  return Guard([&] {
    Unwrap(inference_request).RemoveAllInputs();
    return OkStatus();
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

TRITONSERVER_Error* TRITONSERVER_InferenceRequestAppendInputDataWithHostPolicy(
    TRITONSERVER_InferenceRequest* inference_request, const char* name, const void* base, size_t byte_size,
    TRITONSERVER_MemoryType memory_type, int64_t memory_type_id, const char* host_policy_name) {
  return Guard([&] {
    const MemoryPlace place{static_cast<MemoryType>(memory_type), memory_type_id};
    return Unwrap(inference_request)
        .AppendPolicyData(name, host_policy_name, InputBuffer(base, {place, byte_size, nullptr}));
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestAppendInputDataWithBufferAttributes(
    TRITONSERVER_InferenceRequest* inference_request, const char* name, const void* base,
    TRITONSERVER_BufferAttributes* buffer_attributes) {
  return Guard([&] {
    return Unwrap(inference_request)
        .AppendInputData(name, base, *FromHandle<BufferAttributes>(buffer_attributes));
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestRemoveAllInputData(
    TRITONSERVER_InferenceRequest* inference_request, const char* name) {
  return Guard([&] { return Unwrap(inference_request).RemoveInputData(name); });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestAddRequestedOutput(
    TRITONSERVER_InferenceRequest* inference_request, const char* name) {
  return Guard([&] { return Unwrap(inference_request).AddRequestedOutput(name); });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestRemoveRequestedOutput(
    TRITONSERVER_InferenceRequest* inference_request, const char* name) {
  return Guard([&] {
    Unwrap(inference_request).RemoveRequestedOutput(name);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestRemoveAllRequestedOutputs(
    TRITONSERVER_InferenceRequest* inference_request) {
  return Guard([&] {
    Unwrap(inference_request).RemoveAllRequestedOutputs();
    return OkStatus();
  });
}

}  // extern "C"
