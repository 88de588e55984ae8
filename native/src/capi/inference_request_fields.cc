// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What a request says of itself beside its tensors: id, flags, sequence, priority, timeout, parameters.
#include <limits>

#include "capi/error.h"
#include "inference/inference_request.h"

namespace workbench {
namespace {

InferenceRequest& Unwrap(TRITONSERVER_InferenceRequest* request) {
  return *FromHandle<InferenceRequest>(request);
}

// The longest id of a sequence that is a text, in bytes.
constexpr size_t kMaxCorrelationId = 128;

Status CheckCorrelationId(const std::string& id) {
  if (id.size() <= kMaxCorrelationId) return OkStatus();
  return UnsupportedError("a correlation id has " + std::to_string(kMaxCorrelationId) +
                          " bytes at most, got " + std::to_string(id.size()));
}

Status NarrowPriority(uint64_t wide, uint32_t* priority) {
  if (wide > std::numeric_limits<uint32_t>::max()) {
    return InvalidArgumentError("priority " + std::to_string(wide) +
                                " needs TRITONSERVER_InferenceRequestPriorityUInt64");
  }
  *priority = static_cast<uint32_t>(wide);
  return OkStatus();
}

Parameter& NewParameter(TRITONSERVER_InferenceRequest* request, const char* key, ParameterType type) {
  Parameter& parameter = Unwrap(request).AddParameter();
  parameter.name = key;
  parameter.type = type;
  return parameter;
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_InferenceRequestId(TRITONSERVER_InferenceRequest* inference_request,
                                                    const char** id) {
  return Guard([&] {
    *id = Unwrap(inference_request).id().c_str();
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

TRITONSERVER_Error* TRITONSERVER_InferenceRequestFlags(TRITONSERVER_InferenceRequest* inference_request,
                                                       uint32_t* flags) {
  return Guard([&] {
    *flags = Unwrap(inference_request).flags();
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

TRITONSERVER_Error* TRITONSERVER_InferenceRequestCorrelationId(
    TRITONSERVER_InferenceRequest* inference_request, uint64_t* correlation_id) {
  return Guard([&]() -> Status {
    if (!Unwrap(inference_request).correlation_text().empty())
      return InvalidArgumentError(
          "the correlation id is a text; ask TRITONSERVER_InferenceRequestCorrelationIdString");
    *correlation_id = Unwrap(inference_request).correlation_id();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestCorrelationIdString(
    TRITONSERVER_InferenceRequest* inference_request, const char** correlation_id) {
  return Guard([&]() -> Status {
    if (Unwrap(inference_request).correlation_text().empty())
      return InvalidArgumentError(
          "the correlation id is a number; ask TRITONSERVER_InferenceRequestCorrelationId");
    *correlation_id = Unwrap(inference_request).correlation_text().c_str();
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

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetCorrelationIdString(
    TRITONSERVER_InferenceRequest* inference_request, const char* correlation_id) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckCorrelationId(correlation_id));
    Unwrap(inference_request).set_correlation_id(correlation_id);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestPriority(TRITONSERVER_InferenceRequest* inference_request,
                                                          uint32_t* priority) {
  return Guard([&] { return NarrowPriority(Unwrap(inference_request).priority(), priority); });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestPriorityUInt64(
    TRITONSERVER_InferenceRequest* inference_request, uint64_t* priority) {
  return Guard([&] {
    *priority = Unwrap(inference_request).priority();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetPriority(TRITONSERVER_InferenceRequest* inference_request,
                                                             uint32_t priority) {
  return TRITONSERVER_InferenceRequestSetPriorityUInt64(inference_request, priority);
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetPriorityUInt64(
    TRITONSERVER_InferenceRequest* inference_request, uint64_t priority) {
  return Guard([&] {
    Unwrap(inference_request).set_priority(priority);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestTimeoutMicroseconds(
    TRITONSERVER_InferenceRequest* inference_request, uint64_t* timeout_us) {
  return Guard([&] {
    *timeout_us = Unwrap(inference_request).timeout_us();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetTimeoutMicroseconds(
    TRITONSERVER_InferenceRequest* inference_request, uint64_t timeout_us) {
  return Guard([&] {
    Unwrap(inference_request).set_timeout_us(timeout_us);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetStringParameter(
    TRITONSERVER_InferenceRequest* inference_request, const char* key, const char* value) {
  return Guard([&] {
    NewParameter(inference_request, key, ParameterType::kString).text = value;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetIntParameter(
    TRITONSERVER_InferenceRequest* inference_request, const char* key, const int64_t value) {
  return Guard([&] {
    NewParameter(inference_request, key, ParameterType::kInt).integer = value;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetBoolParameter(
    TRITONSERVER_InferenceRequest* inference_request, const char* key, const bool value) {
  return Guard([&] {
    NewParameter(inference_request, key, ParameterType::kBool).is_true = value;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetDoubleParameter(
    TRITONSERVER_InferenceRequest* inference_request, const char* key, const double value) {
  return Guard([&] {
    NewParameter(inference_request, key, ParameterType::kDouble).real = value;
    return OkStatus();
  });
}

}  // extern "C"
