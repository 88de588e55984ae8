// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/response.h"

#include <utility>

namespace workbench {
namespace {

ParameterValue ValueOf(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::kInt:
      return parameter.integer;
    case ParameterType::kBool:
      return parameter.is_true;
    case ParameterType::kDouble:
      return parameter.real;
    case ParameterType::kString:
    case ParameterType::kBytes:
      break;
  }
  return parameter.text;
}

}  // namespace

Response::Response(std::shared_ptr<HostMemory> memory, InferenceResponse::Ptr response, bool is_final)
    : memory_(std::move(memory)), response_(std::move(response)), is_final_(is_final) {}

const Status& Response::error() const {
  static const Status* const ok = new Status();
  return response_ ? response_->error() : *ok;
}

std::vector<TensorOutput> Response::outputs() const {
  std::vector<TensorOutput> outputs;
  if (!response_) return outputs;
  outputs.reserve(response_->output_count());
  for (size_t i = 0; i < response_->output_count(); ++i) {
    const InferenceResponse::Output& output = response_->output(i);
    outputs.push_back({output.name(), output.type(), output.shape(), output.buffer().base,
                       output.buffer().byte_size, output.buffer().place});
  }
  return outputs;
}

std::vector<std::pair<std::string, ParameterValue>> Response::parameters() const {
  std::vector<std::pair<std::string, ParameterValue>> parameters;
  for (size_t i = 0; response_ && i < response_->parameter_count(); ++i) {
    parameters.emplace_back(response_->parameter(i).name, ValueOf(response_->parameter(i)));
  }
  return parameters;
}

}  // namespace workbench
