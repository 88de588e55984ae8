// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Requests as backends read them.
#include "capi/error.h"
#include "inference/inference_request.h"
#include "triton/core/tritonbackend.h"

namespace workbench {
namespace {

InferenceRequest& Unwrap(TRITONBACKEND_Request* request) { return *FromHandle<InferenceRequest>(request); }
RequestInput& Unwrap(TRITONBACKEND_Input* input) { return *FromHandle<RequestInput>(input); }

Status NoSuchIndex(const char* what, uint32_t index, size_t count) {
  return InvalidArgumentError(std::string(what) + " " + std::to_string(index) +
                              " was asked of a request that has " + std::to_string(count));
}

// The bytes for instances of that host policy, which are those for everyone where there are none of its own.
const HostPolicyBuffers* Own(const RequestInput& input, const char* policy) {
  return policy == nullptr ? nullptr : input.FindPolicy(policy);
}

Status Properties(const RequestInput& input, const HostPolicyBuffers* own, const char** name,
                  TRITONSERVER_DataType* datatype, const int64_t** shape, uint32_t* dims_count,
                  uint64_t* byte_size, uint32_t* buffer_count) {
  if (name != nullptr) *name = input.spec->name.c_str();
  if (datatype != nullptr) *datatype = static_cast<TRITONSERVER_DataType>(input.type);
  if (shape != nullptr) *shape = input.shape.data();
  if (dims_count != nullptr) *dims_count = static_cast<uint32_t>(input.shape.size());
  if (byte_size != nullptr) *byte_size = own != nullptr ? own->byte_size : input.byte_size;
  const auto& buffers = own != nullptr ? own->buffers : input.buffers;
  if (buffer_count != nullptr) *buffer_count = static_cast<uint32_t>(buffers.size());
  return OkStatus();
}

// An index beyond the last buffer is no error: its base is null.
Status BufferAt(const std::vector<InputBuffer>& buffers, uint32_t index, const void** buffer,
                uint64_t* byte_size, TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) {
  const InputBuffer found = index < buffers.size() ? buffers[index] : InputBuffer();
  *buffer = found.base;
  *byte_size = found.byte_size;
  *memory_type = static_cast<TRITONSERVER_MemoryType>(found.place.type);
  *memory_type_id = found.place.id;
  return OkStatus();
}

Status Release(TRITONBACKEND_Request* handle, uint32_t flags) {
  InferenceRequest& request = Unwrap(handle);
  if (!request.is_in_inference())
    return InvalidArgumentError("the request was released before; once is the rule");
  if (flags == TRITONSERVER_REQUEST_RELEASE_RESCHEDULE) return request.Reschedule();
  if (flags != TRITONSERVER_REQUEST_RELEASE_ALL) {
    return InvalidArgumentError(
        "requests are released with TRITONSERVER_REQUEST_RELEASE_ALL or "
        "TRITONSERVER_REQUEST_RELEASE_RESCHEDULE");
  }
  InferenceRequest::Release(RequestPtr(&request), flags);
  return OkStatus();
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_RequestId(TRITONBACKEND_Request* request, const char** id) {
  return Guard([&] {
    *id = Unwrap(request).id().c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestCorrelationId(TRITONBACKEND_Request* request, uint64_t* id) {
  return Guard([&]() -> Status {
    if (!Unwrap(request).correlation_text().empty()) {
      return InvalidArgumentError(
          "the correlation id is a string; ask TRITONBACKEND_RequestCorrelationIdString");
    }
    *id = Unwrap(request).correlation_id();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestFlags(TRITONBACKEND_Request* request, uint32_t* flags) {
  return Guard([&] {
    *flags = Unwrap(request).flags();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestIsCancelled(TRITONBACKEND_Request* request, bool* is_cancelled) {
  return Guard([&] {
    *is_cancelled = Unwrap(request).is_cancelled();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestInputCount(TRITONBACKEND_Request* request, uint32_t* count) {
  return Guard([&] {
    *count = static_cast<uint32_t>(Unwrap(request).input_count());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestInputName(TRITONBACKEND_Request* request, const uint32_t index,
                                                   const char** input_name) {
  return Guard([&]() -> Status {
    *input_name = nullptr;
    if (index >= Unwrap(request).input_count())
      return NoSuchIndex("input", index, Unwrap(request).input_count());
    *input_name = Unwrap(request).input(index).spec->name.c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestInput(TRITONBACKEND_Request* request, const char* name,
                                               TRITONBACKEND_Input** input) {
  return Guard([&]() -> Status {
    *input = ToHandle<TRITONBACKEND_Input>(Unwrap(request).FindInput(name));
    if (*input == nullptr)
      return InvalidArgumentError("the request has no input '" + std::string(name) + "'");
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestInputByIndex(TRITONBACKEND_Request* request, const uint32_t index,
                                                      TRITONBACKEND_Input** input) {
  return Guard([&]() -> Status {
    *input = nullptr;
    if (index >= Unwrap(request).input_count())
      return NoSuchIndex("input", index, Unwrap(request).input_count());
    *input = ToHandle<TRITONBACKEND_Input>(&Unwrap(request).input(index));
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestOutputCount(TRITONBACKEND_Request* request, uint32_t* count) {
  return Guard([&] {
    *count = static_cast<uint32_t>(Unwrap(request).output_count());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestOutputName(TRITONBACKEND_Request* request, const uint32_t index,
                                                    const char** output_name) {
  return Guard([&]() -> Status {
    *output_name = nullptr;
    if (index >= Unwrap(request).output_count())
      return NoSuchIndex("output", index, Unwrap(request).output_count());
    *output_name = Unwrap(request).output(index).name.c_str();
    return OkStatus();
  });
}

// Null where the request is not traced.
TRITONSERVER_Error* TRITONBACKEND_RequestTrace(TRITONBACKEND_Request* request,
                                               TRITONSERVER_InferenceTrace** trace) {
  return Guard([&] {
    *trace = ToHandle<TRITONSERVER_InferenceTrace>(Unwrap(request).trace());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_RequestRelease(TRITONBACKEND_Request* request, uint32_t release_flags) {
  return Guard([&] { return Release(request, release_flags); });
}

TRITONSERVER_Error* TRITONBACKEND_InputProperties(TRITONBACKEND_Input* input, const char** name,
                                                  TRITONSERVER_DataType* datatype, const int64_t** shape,
                                                  uint32_t* dims_count, uint64_t* byte_size,
                                                  uint32_t* buffer_count) {
  return Guard([&] {
    return Properties(Unwrap(input), nullptr, name, datatype, shape, dims_count, byte_size, buffer_count);
  });
}

TRITONSERVER_Error* TRITONBACKEND_InputPropertiesForHostPolicy(TRITONBACKEND_Input* input,
                                                               const char* host_policy_name,
                                                               const char** name,
                                                               TRITONSERVER_DataType* datatype,
                                                               const int64_t** shape, uint32_t* dims_count,
                                                               uint64_t* byte_size, uint32_t* buffer_count) {
  return Guard([&] {
    return Properties(Unwrap(input), Own(Unwrap(input), host_policy_name), name, datatype, shape, dims_count,
                      byte_size, buffer_count);
  });
}

TRITONSERVER_Error* TRITONBACKEND_InputBuffer(TRITONBACKEND_Input* input, const uint32_t index,
                                              const void** buffer, uint64_t* buffer_byte_size,
                                              TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) {
  return Guard([&] {
    return BufferAt(Unwrap(input).buffers, index, buffer, buffer_byte_size, memory_type, memory_type_id);
  });
}

TRITONSERVER_Error* TRITONBACKEND_InputBufferForHostPolicy(TRITONBACKEND_Input* input,
                                                           const char* host_policy_name, const uint32_t index,
                                                           const void** buffer, uint64_t* buffer_byte_size,
                                                           TRITONSERVER_MemoryType* memory_type,
                                                           int64_t* memory_type_id) {
  return Guard([&] {
    const HostPolicyBuffers* const own = Own(Unwrap(input), host_policy_name);
    const auto& buffers = own != nullptr ? own->buffers : Unwrap(input).buffers;
    return BufferAt(buffers, index, buffer, buffer_byte_size, memory_type, memory_type_id);
  });
}

}  // extern "C"
