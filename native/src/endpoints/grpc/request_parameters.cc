// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "endpoints/error.h"
#include "endpoints/grpc/infer_request.h"

namespace workbench {
namespace {

Status Wrong(std::string_view name, const char* wanted) {
  return InvalidArgumentError("parameter '" + std::string(name) + "' must be " + wanted);
}

Status SetSequenceId(const MessageValue& value, TRITONSERVER_InferenceRequest* request) {
  if (const auto* const text = std::get_if<std::string_view>(&value)) {
    return TakeStatus(
        TRITONSERVER_InferenceRequestSetCorrelationIdString(request, std::string(*text).c_str()));
  }
  const auto* const number = std::get_if<int64_t>(&value);
  if (number == nullptr) return Wrong("sequence_id", "a string_param or an int64_param");
  return TakeStatus(TRITONSERVER_InferenceRequestSetCorrelationId(request, static_cast<uint64_t>(*number)));
}

Status AddFlag(const MessageParameter& parameter, uint32_t flag, TRITONSERVER_InferenceRequest* request) {
  const bool* const is_set = std::get_if<bool>(&parameter.value);
  if (is_set == nullptr) return Wrong(parameter.name, "a bool_param");
  if (!*is_set) return OkStatus();
  uint32_t flags = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceRequestFlags(request, &flags)));
  return TakeStatus(TRITONSERVER_InferenceRequestSetFlags(request, flags | flag));
}

Status SetPriority(const MessageValue& value, TRITONSERVER_InferenceRequest* request) {
  if (const auto* const priority = std::get_if<uint64_t>(&value)) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetPriorityUInt64(request, *priority));
  }
  const auto* const priority = std::get_if<int64_t>(&value);
  if (priority == nullptr || *priority < 0) {
    return Wrong("priority", "a uint64_param, or an int64_param that is not negative");
  }
  return TakeStatus(
      TRITONSERVER_InferenceRequestSetPriorityUInt64(request, static_cast<uint64_t>(*priority)));
}

// One that is negative never comes, as with the original.
Status SetTimeout(const MessageValue& value, TRITONSERVER_InferenceRequest* request) {
  const auto* const timeout_us = std::get_if<int64_t>(&value);
  if (timeout_us == nullptr) return Wrong("timeout", "an int64_param");
  return TakeStatus(
      TRITONSERVER_InferenceRequestSetTimeoutMicroseconds(request, static_cast<uint64_t>(*timeout_us)));
}

// One that is the backend's.
Status SetOther(const MessageParameter& parameter, TRITONSERVER_InferenceRequest* request) {
  const std::string name(parameter.name);
  if (parameter.name.substr(0, 7) == "triton_") {
    return InvalidArgumentError("parameter '" + name + "' is the server's own");
  }
  if (const auto* const text = std::get_if<std::string_view>(&parameter.value)) {
    return TakeStatus(
        TRITONSERVER_InferenceRequestSetStringParameter(request, name.c_str(), std::string(*text).c_str()));
  }
  if (const auto* const truth = std::get_if<bool>(&parameter.value)) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetBoolParameter(request, name.c_str(), *truth));
  }
  if (const auto* const number = std::get_if<double>(&parameter.value)) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetDoubleParameter(request, name.c_str(), *number));
  }
  if (const auto* const number = std::get_if<int64_t>(&parameter.value)) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetIntParameter(request, name.c_str(), *number));
  }
  return Wrong(parameter.name, "a string_param, bool_param, int64_param or double_param");
}

Status Set(const MessageParameter& parameter, TRITONSERVER_InferenceRequest* request, bool* wants_final) {
  const std::string_view name = parameter.name;
  if (name == "sequence_id") return SetSequenceId(parameter.value, request);
  if (name == "sequence_start") return AddFlag(parameter, TRITONSERVER_REQUEST_FLAG_SEQUENCE_START, request);
  if (name == "sequence_end") return AddFlag(parameter, TRITONSERVER_REQUEST_FLAG_SEQUENCE_END, request);
  if (name == "priority") return SetPriority(parameter.value, request);
  if (name == "timeout") return SetTimeout(parameter.value, request);
  if (name != "triton_enable_empty_final_response") return SetOther(parameter, request);
  const bool* const is_wanted = std::get_if<bool>(&parameter.value);
  if (is_wanted == nullptr) return Wrong(name, "a bool_param");
  *wants_final = *is_wanted;
  return OkStatus();
}

}  // namespace

Status SetParameters(const std::vector<MessageParameter>& parameters, TRITONSERVER_InferenceRequest* request,
                     bool* wants_final) {
  for (const MessageParameter& parameter : parameters) RETURN_IF_ERROR(Set(parameter, request, wants_final));
  return OkStatus();
}

}  // namespace workbench
