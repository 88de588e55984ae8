// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Responses as their receivers read them.
#include "inference/inference_response.h"

#include "capi/error.h"

namespace workbench {
namespace {

InferenceResponse& Unwrap(TRITONSERVER_InferenceResponse* response) {
  return *FromHandle<InferenceResponse>(response);
}

Result<const InferenceResponse::Output*> OutputAt(TRITONSERVER_InferenceResponse* handle, uint32_t index) {
  const InferenceResponse& response = Unwrap(handle);
  if (index < response.output_count()) return &response.output(index);
  return InvalidArgumentError("output " + std::to_string(index) + " was asked of a response that has " +
                              std::to_string(response.output_count()));
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_InferenceResponseDelete(TRITONSERVER_InferenceResponse* inference_response) {
  return Guard([&] {
    InferenceResponse::Ptr(&Unwrap(inference_response)).reset();
    return OkStatus();
  });
}

// The error is a copy of the response's own, which the receiver must not delete; kept with the response.
TRITONSERVER_Error* TRITONSERVER_InferenceResponseError(TRITONSERVER_InferenceResponse* inference_response) {
  InferenceResponse& response = Unwrap(inference_response);
  if (response.error().ok()) return nullptr;
  return ToHandle<TRITONSERVER_Error>(response.error_object());
}

TRITONSERVER_Error* TRITONSERVER_InferenceResponseModel(TRITONSERVER_InferenceResponse* inference_response,
                                                        const char** model_name, int64_t* model_version) {
  return Guard([&] {
    *model_name = Unwrap(inference_response).model_name().c_str();
    *model_version = Unwrap(inference_response).model_version();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceResponseId(TRITONSERVER_InferenceResponse* inference_response,
                                                     const char** request_id) {
  return Guard([&] {
    *request_id = Unwrap(inference_response).request_id().c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceResponseOutputCount(
    TRITONSERVER_InferenceResponse* inference_response, uint32_t* count) {
  return Guard([&] {
    *count = static_cast<uint32_t>(Unwrap(inference_response).output_count());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceResponseOutput(
    TRITONSERVER_InferenceResponse* inference_response, const uint32_t index, const char** name,
    TRITONSERVER_DataType* datatype, const int64_t** shape, uint64_t* dim_count, const void** base,
    size_t* byte_size, TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id, void** userp) {
  return Guard([&]() -> Status {
    ASSIGN_OR_RETURN(const InferenceResponse::Output* output, OutputAt(inference_response, index));
    *name = output->name().c_str();
    *datatype = static_cast<TRITONSERVER_DataType>(output->type());
    *shape = output->shape().data();
    *dim_count = output->shape().size();
    *base = output->buffer().base;
    *byte_size = output->buffer().byte_size;
    *memory_type = static_cast<TRITONSERVER_MemoryType>(output->buffer().place.type);
    *memory_type_id = output->buffer().place.id;
    *userp = output->buffer().userp;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceResponseOutputClassificationLabel(
    TRITONSERVER_InferenceResponse* inference_response, const uint32_t index, const size_t class_index,
    const char** label) {
  return Guard([&]() -> Status {
    ASSIGN_OR_RETURN(const InferenceResponse::Output* output, OutputAt(inference_response, index));
    *label = output->label(class_index);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceResponseParameterCount(
    TRITONSERVER_InferenceResponse* inference_response, uint32_t* count) {
  return Guard([&] {
    *count = static_cast<uint32_t>(Unwrap(inference_response).parameter_count());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceResponseParameter(
    TRITONSERVER_InferenceResponse* inference_response, const uint32_t index, const char** name,
    TRITONSERVER_ParameterType* type, const void** vvalue) {
  return Guard([&]() -> Status {
    const InferenceResponse& response = Unwrap(inference_response);
    if (index >= response.parameter_count())
      return InvalidArgumentError("the response has no parameter of that index");
    const Parameter& parameter = response.parameter(index);
    *name = parameter.name.c_str();
    *type = static_cast<TRITONSERVER_ParameterType>(parameter.type);
    *vvalue = parameter.address();
    return OkStatus();
  });
}

}  // extern "C"
