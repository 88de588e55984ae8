// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "execution.h"

#include <algorithm>

#include "tensor_type.h"

namespace ort {
namespace {

using workbench::Json;
using workbench::Request;

OrtMemoryInfo* HostMemory(const Api& api) {
  constexpr int kDeviceAllocator = 0, kDefaultMemory = 0;
  OrtMemoryInfo* memory = nullptr;
  api.Check(api.create_cpu_memory(kDeviceAllocator, kDefaultMemory, &memory));
  return memory;
}

}  // namespace

Execution::Execution(const workbench::Model& model, const Session& session)
    : model_(model),
      session_(session),
      api_(session.api()),
      host_(HostMemory(session.api()), session.api().release_memory) {
  const Json config = model.config();
  for (const Json& output : config["output"].elements()) outputs_.insert(output["name"].string());
  for (const Json& input : config["input"].elements()) {
    if (input["allow_ragged_batch"].boolean()) ragged_.insert(input["name"].string());
  }
  for (const Json& state : config["sequence_batching"]["state"].elements()) {
    states_.insert(state["output_name"].string());
  }
  for (const Json& input : config["batch_input"].elements()) {
    for (const Json& target : input["target_name"].elements()) batch_inputs_.insert(target.string());
  }
  for (const Json& output : config["batch_output"].elements()) {
    for (const Json& target : output["target_name"].elements()) {
      const std::string name = target.string();
      batch_outputs_.emplace(name, workbench::detail::BatchOutputRule(config, name.c_str()));
    }
  }
}

void Execution::Run(workbench::Batch& batch) {
  if (model_.max_batch_size() > 0) return Run(batch, {&batch[0], batch.size()});
  batch.ForEach([&](Request& request) { Run(batch, {&request, 1}); });
}

void Execution::Run(workbench::Batch& batch, Requests requests) {
  scratch_.Reset();
  input_names_.clear();
  inputs_.clear();
  for (const Tensor& tensor : session_.inputs()) AddInput(batch, requests, tensor);
  const std::vector<Wanted> wanted = WantedOf(requests);
  std::vector<OrtValue*> inputs;
  for (const Value& input : inputs_) inputs.push_back(input.get());
  std::vector<const char*> names;
  std::vector<Value> owners;
  std::vector<OrtValue*> outputs;
  for (const Wanted& one : wanted) {
    names.push_back(one.tensor->name.c_str());
    owners.push_back(Target(requests, one));
    outputs.push_back(owners.back().get());
  }
  batch.MarkComputeStart();
  session_.Run(input_names_, inputs, names, &outputs);
  batch.MarkComputeEnd();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (owners[i] != nullptr) continue;  // it has been written where it belongs
    owners[i].reset(outputs[i]);
    if (outputs[i] != nullptr) Deal(requests, wanted[i], outputs[i]);
  }
}

std::vector<Execution::Wanted> Execution::WantedOf(Requests requests) const {
  std::vector<Wanted> wanted;
  for (const Tensor& tensor : session_.outputs()) {
    const bool is_output = outputs_.count(tensor.name) != 0 &&
                           std::any_of(requests.begin(), requests.end(), [&](const Request& request) {
                             return request.wants(tensor.name.c_str());
                           });
    const bool is_state = states_.count(tensor.name) != 0;
    if (is_output || is_state) wanted.push_back({&tensor, is_output, is_state});
  }
  return wanted;
}

int64_t Execution::RowsOf(Requests requests) const {
  int64_t rows = 0;
  for (const Request& request : requests) rows += request.rows();
  return rows;
}

Execution::Value Execution::Wrap(const void* data, size_t byte_size, const std::vector<int64_t>& shape,
                                 int element_type) const {
  OrtValue* value = nullptr;
  // The library writes to none but outputs.
  api_.Check(api_.wrap_tensor(host_.get(), const_cast<void*>(data), byte_size, shape.data(), shape.size(),
                              element_type, &value));
  return {value, api_.release_value};
}

}  // namespace ort
