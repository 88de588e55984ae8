// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/request_parameters.h"

#include <string>
#include <string_view>

#include "endpoints/error.h"
#include "endpoints/http/json.h"

namespace workbench {
namespace {

Status SetSequenceId(const rapidjson::Value& value, TRITONSERVER_InferenceRequest* request) {
  if (value.IsString()) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetCorrelationIdString(request, value.GetString()));
  }
  if (value.IsUint64()) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetCorrelationId(request, value.GetUint64()));
  }
  return InternalError("'sequence_id' must be a text or a whole number that is not negative");
}

Status AddFlag(const rapidjson::Value& value, const std::string& name, uint32_t flag,
               TRITONSERVER_InferenceRequest* request) {
  ASSIGN_OR_RETURN(const bool is_set, TruthOf(value, name));
  if (!is_set) return OkStatus();
  uint32_t flags = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceRequestFlags(request, &flags)));
  return TakeStatus(TRITONSERVER_InferenceRequestSetFlags(request, flags | flag));
}

Status SetKnown(const std::string& name, const rapidjson::Value& value,
                TRITONSERVER_InferenceRequest* request, bool* is_known) {
  *is_known = true;
  if (name == "sequence_id") return SetSequenceId(value, request);
  if (name == "sequence_start")
    return AddFlag(value, name, TRITONSERVER_REQUEST_FLAG_SEQUENCE_START, request);
  if (name == "sequence_end") return AddFlag(value, name, TRITONSERVER_REQUEST_FLAG_SEQUENCE_END, request);
  if (name == "priority") {
    ASSIGN_OR_RETURN(const uint64_t priority, CountOf(value, name));
    return TakeStatus(TRITONSERVER_InferenceRequestSetPriorityUInt64(request, priority));
  }
  if (name == "timeout") {
    ASSIGN_OR_RETURN(const uint64_t timeout_us, CountOf(value, name));
    return TakeStatus(TRITONSERVER_InferenceRequestSetTimeoutMicroseconds(request, timeout_us));
  }
  *is_known = false;
  return OkStatus();
}

}  // namespace

Status SetParameter(const char* name, const rapidjson::Value& value, TRITONSERVER_InferenceRequest* request) {
  if (std::string_view(name).substr(0, 7) == "triton_") {
    return InvalidArgumentError(std::string("parameter '") + name + "' is the server's own");
  }
  if (value.IsString()) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetStringParameter(request, name, value.GetString()));
  }
  if (value.IsBool()) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetBoolParameter(request, name, value.GetBool()));
  }
  if (value.IsInt64()) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetIntParameter(request, name, value.GetInt64()));
  }
  if (value.IsNumber()) {
    return TakeStatus(TRITONSERVER_InferenceRequestSetDoubleParameter(request, name, value.GetDouble()));
  }
  return InvalidArgumentError(std::string("parameter '") + name +
                              "' must be a text, a number, true or false");
}

Status SetParameters(const rapidjson::Value& parameters, TRITONSERVER_InferenceRequest* request,
                     bool* is_binary) {
  if (!parameters.IsObject()) return InternalError("'parameters' must be an object");
  for (const auto& [key, value] : parameters.GetObject()) {
    const std::string name(key.GetString(), key.GetStringLength());
    if (name == "binary_data_output") {
      ASSIGN_OR_RETURN(*is_binary, TruthOf(value, name));
      continue;
    }
    bool is_known = false;
    RETURN_IF_ERROR(SetKnown(name, value, request, &is_known));
    if (!is_known) RETURN_IF_ERROR(SetParameter(name.c_str(), value, request));
  }
  return OkStatus();
}

}  // namespace workbench
