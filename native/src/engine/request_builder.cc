// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/request_builder.h"

namespace workbench {
namespace {

void Fill(const ParameterValue& value, Parameter* parameter) {
  if (const bool* is_true = std::get_if<bool>(&value)) {
    parameter->type = ParameterType::kBool;
    parameter->is_true = *is_true;
  } else if (const int64_t* integer = std::get_if<int64_t>(&value)) {
    parameter->type = ParameterType::kInt;
    parameter->integer = *integer;
  } else if (const double* real = std::get_if<double>(&value)) {
    parameter->type = ParameterType::kDouble;
    parameter->real = *real;
  } else {
    parameter->type = ParameterType::kString;
    parameter->text = std::get<std::string>(value);
  }
}

Status AddTensors(const CallOptions& options, InferenceRequest* request) {
  for (const TensorInput& input : options.inputs) {
    const char* name = input.name.c_str();
    RETURN_IF_ERROR(request->AddInput(name, input.type, input.shape.data(), input.shape.size()));
    RETURN_IF_ERROR(request->AppendInputData(name, input.base, input.byte_size, input.place));
  }
  for (const std::string& output : options.outputs)
    RETURN_IF_ERROR(request->AddRequestedOutput(output.c_str()));
  return OkStatus();
}

}  // namespace

Result<RequestPtr> BuildRequest(Engine& engine, const CallOptions& options) {
  ASSIGN_OR_RETURN(RequestPtr request, engine.NewRequest(options.model, options.version));
  RETURN_IF_ERROR(AddTensors(options, request.get()));
  if (!options.request_id.empty()) request->set_id(options.request_id.c_str());
  request->set_priority(options.priority);
  request->set_timeout_us(options.timeout_us);
  request->set_flags(options.flags);
  request->set_correlation_id(options.correlation_id);
  if (!options.correlation_text.empty()) request->set_correlation_id(options.correlation_text.c_str());
  for (const auto& [name, value] : options.parameters) {
    Parameter& parameter = request->AddParameter();
    parameter.name = name;
    Fill(value, &parameter);
  }
  return request;
}

}  // namespace workbench
