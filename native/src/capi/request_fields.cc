// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What a request says of itself beside its tensors, as backends read it; and where its outputs would lie.
#include "capi/error.h"
#include "inference/inference_request.h"
#include "triton/core/tritonbackend.h"

namespace workbench {
namespace {

InferenceRequest& Unwrap(TRITONBACKEND_Request* request) { return *FromHandle<InferenceRequest>(request); }

Status QueryOutput(const InferenceRequest& request, const char* name, size_t* byte_size,
                   TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) {
  const ResponseDelivery& delivery = request.delivery();
  MemoryPlace place{static_cast<MemoryType>(*memory_type), *memory_type_id};
  RETURN_IF_ERROR(delivery.allocator->Query(name, delivery.allocator_userp, byte_size, &place));
  *memory_type = static_cast<TRITONSERVER_MemoryType>(place.type);
  *memory_type_id = place.id;
  return OkStatus();
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_RequestCorrelationIdString(TRITONBACKEND_Request* request,
                                                             const char** id) {
  return Guard([&]() -> Status {
    *id = Unwrap(request).correlation_name();
    if (*id == nullptr) {
      return InvalidArgumentError("the correlation id is a number; ask TRITONBACKEND_RequestCorrelationId");
    }
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_InferenceRequestTimeoutMicroseconds(TRITONBACKEND_Request* request,
                                                                      uint64_t* timeout) {
  return Guard([&] {
    *timeout = Unwrap(request).timeout_us();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestParameterCount(TRITONBACKEND_Request* request, uint32_t* count) {
  return Guard([&] {
    *count = static_cast<uint32_t>(Unwrap(request).parameter_count());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestParameter(TRITONBACKEND_Request* request, const uint32_t index,
                                                   const char** key, TRITONSERVER_ParameterType* type,
                                                   const void** vvalue) {
  return Guard([&]() -> Status {
    if (index >= Unwrap(request).parameter_count()) {
      return InvalidArgumentError("parameter " + std::to_string(index) + " was asked of a request that has " +
                                  std::to_string(Unwrap(request).parameter_count()));
    }
    const Parameter& parameter = Unwrap(request).parameter(index);
    *key = parameter.name.c_str();
    *type = static_cast<TRITONSERVER_ParameterType>(parameter.type);
    *vvalue = parameter.address();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestOutputBufferProperties(TRITONBACKEND_Request* request,
                                                                const char* name, size_t* byte_size,
                                                                TRITONSERVER_MemoryType* memory_type,
                                                                int64_t* memory_type_id) {
  return Guard([&] { return QueryOutput(Unwrap(request), name, byte_size, memory_type, memory_type_id); });
}

// An index beyond the last buffer is no error: there are no attributes, and the base is null.
TRITONSERVER_Error* TRITONBACKEND_InputBufferAttributes(TRITONBACKEND_Input* input, const uint32_t index,
                                                        const void** buffer,
                                                        TRITONSERVER_BufferAttributes** buffer_attributes) {
  return Guard([&] {
    auto& buffers = FromHandle<RequestInput>(input)->buffers;
    InputBuffer* const found = index < buffers.size() ? &buffers[index] : nullptr;
    *buffer = found != nullptr ? found->base : nullptr;
    *buffer_attributes = ToHandle<TRITONSERVER_BufferAttributes>(static_cast<BufferAttributes*>(found));
    return OkStatus();
  });
}

}  // extern "C"
