// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Responses as backends make them.
#include "capi/error.h"
#include "inference/inference_request.h"
#include "inference/response_factory.h"
#include "triton/core/tritonbackend.h"

namespace workbench {
namespace {

InferenceResponse& Unwrap(TRITONBACKEND_Response* response) {
  return *FromHandle<InferenceResponse>(response);
}
ResponseFactory& Unwrap(TRITONBACKEND_ResponseFactory* factory) {
  return *FromHandle<ResponseFactory>(factory);
}

Status SentAlready() { return InvalidArgumentError("the response was sent or deleted before"); }

Status ReleasedAlready() {
  return InvalidArgumentError(
      "the request was released before; a factory that was made in time can answer it");
}

Status NewFactory(InferenceRequest& request, TRITONBACKEND_ResponseFactory** factory) {
  if (!request.is_in_inference()) return ReleasedAlready();
  *factory = ToHandle<TRITONBACKEND_ResponseFactory>(new ResponseFactory(&request));
  return OkStatus();
}

Status NewResponse(InferenceRequest& request, TRITONBACKEND_Response** response) {
  if (!request.is_in_inference()) return ReleasedAlready();
  *response = ToHandle<TRITONBACKEND_Response>(request.NewResponse().release());
  return OkStatus();
}

Status AddOutput(TRITONBACKEND_Response* response, const char* name, TRITONSERVER_DataType type,
                 const int64_t* shape, uint32_t rank, TRITONBACKEND_Output** output) {
  if (!Unwrap(response).is_being_made()) return SentAlready();
  ASSIGN_OR_RETURN(InferenceResponse::Output* const added,
                   Unwrap(response).AddOutput(name, static_cast<DataType>(type), shape, rank));
  *output = ToHandle<TRITONBACKEND_Output>(added);
  return OkStatus();
}

Status AllocateOutput(TRITONBACKEND_Output* handle, uint64_t byte_size, void** buffer,
                      TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) {
  auto& output = *FromHandle<InferenceResponse::Output>(handle);
  RETURN_IF_ERROR(output.Allocate(byte_size, {static_cast<MemoryType>(*memory_type), *memory_type_id}));
  *buffer = output.buffer().base;
  *memory_type = static_cast<TRITONSERVER_MemoryType>(output.buffer().place.type);
  *memory_type_id = output.buffer().place.id;
  return OkStatus();
}

Status Send(TRITONBACKEND_Response* response, uint32_t flags, TRITONSERVER_Error* error) {
  if (!Unwrap(response).is_being_made()) return SentAlready();
  Status status;
  if (error != nullptr) {  // lent: the backend deletes it
    const auto* object = FromHandle<ErrorObject>(error);
    status = Status(object->code, object->message);
  }
  return InferenceResponse::TrySend(InferenceResponse::Ptr(&Unwrap(response)), flags, std::move(status));
}

template <typename Set>
Status SetParameter(TRITONBACKEND_Response* response, const char* name, ParameterType type, const Set& set) {
  if (!Unwrap(response).is_being_made()) return SentAlready();
  Parameter& parameter = Unwrap(response).AddParameter();
  parameter.name = name;
  parameter.type = type;
  set(&parameter);
  return OkStatus();
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_ResponseNew(TRITONBACKEND_Response** response,
                                              TRITONBACKEND_Request* request) {
  return Guard([&] { return NewResponse(*FromHandle<InferenceRequest>(request), response); });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseNewFromFactory(TRITONBACKEND_Response** response,
                                                         TRITONBACKEND_ResponseFactory* factory) {
  return Guard([&] {
    *response = ToHandle<TRITONBACKEND_Response>(Unwrap(factory).NewResponse().release());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseDelete(TRITONBACKEND_Response* response) {
  return Guard([&] {
    if (!Unwrap(response).is_being_made()) return SentAlready();
    InferenceResponse::Ptr(&Unwrap(response)).reset();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseOutput(TRITONBACKEND_Response* response,
                                                 TRITONBACKEND_Output** output, const char* name,
                                                 const TRITONSERVER_DataType datatype, const int64_t* shape,
                                                 const uint32_t dims_count) {
  return Guard([&] { return AddOutput(response, name, datatype, shape, dims_count, output); });
}

TRITONSERVER_Error* TRITONBACKEND_OutputBuffer(TRITONBACKEND_Output* output, void** buffer,
                                               const uint64_t buffer_byte_size,
                                               TRITONSERVER_MemoryType* memory_type,
                                               int64_t* memory_type_id) {
  return Guard([&] { return AllocateOutput(output, buffer_byte_size, buffer, memory_type, memory_type_id); });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseSend(TRITONBACKEND_Response* response, const uint32_t send_flags,
                                               TRITONSERVER_Error* error) {
  return Guard([&] { return Send(response, send_flags, error); });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseSetStringParameter(TRITONBACKEND_Response* response,
                                                             const char* name, const char* value) {
  return Guard([&] {
    return SetParameter(response, name, ParameterType::kString,
                        [&](Parameter* parameter) { parameter->text = value; });
  });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseSetIntParameter(TRITONBACKEND_Response* response, const char* name,
                                                          const int64_t value) {
  return Guard([&] {
    return SetParameter(response, name, ParameterType::kInt,
                        [&](Parameter* parameter) { parameter->integer = value; });
  });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseSetBoolParameter(TRITONBACKEND_Response* response, const char* name,
                                                           const bool value) {
  return Guard([&] {
    return SetParameter(response, name, ParameterType::kBool,
                        [&](Parameter* parameter) { parameter->is_true = value; });
  });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseSetDoubleParameter(TRITONBACKEND_Response* response,
                                                             const char* name, const double value) {
  return Guard([&] {
    return SetParameter(response, name, ParameterType::kDouble,
                        [&](Parameter* parameter) { parameter->real = value; });
  });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseFactoryNew(TRITONBACKEND_ResponseFactory** factory,
                                                     TRITONBACKEND_Request* request) {
  return Guard([&] { return NewFactory(*FromHandle<InferenceRequest>(request), factory); });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseFactoryDelete(TRITONBACKEND_ResponseFactory* factory) {
  return Guard([&] {
    delete &Unwrap(factory);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseFactorySendFlags(TRITONBACKEND_ResponseFactory* factory,
                                                           const uint32_t send_flags) {
  return Guard([&] { return Unwrap(factory).SendFlags(send_flags); });
}

TRITONSERVER_Error* TRITONBACKEND_ResponseFactoryIsCancelled(TRITONBACKEND_ResponseFactory* factory,
                                                             bool* is_cancelled) {
  return Guard([&] {
    *is_cancelled = Unwrap(factory).is_cancelled();
    return OkStatus();
  });
}

}  // extern "C"
