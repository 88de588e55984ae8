// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows what the configuration has a batch compute: OUT is the negative of IN, of each request's own shape; each
// answer bears the whole batch's tensors as parameters, "[shape] elements".
#include <string>
#include <workbench/backend.hpp>

namespace {

std::string Text(const workbench::BatchTensor& tensor) {
  std::string text = workbench::ToString(tensor.shape());
  if (tensor.data_type() == TRITONSERVER_TYPE_FP32) {
    for (float value : tensor.as<float>()) text += " " + std::to_string(static_cast<int>(value)) + ".0";
  } else {
    for (int32_t value : tensor.as<int32_t>()) text += " " + std::to_string(value);
  }
  return text;
}

struct Ragged {
  void Execute(workbench::Batch& batch) {
    const auto in = batch.Gather<float>("IN");
    const auto out = batch.ScatterAsInput<float>("OUT");
    for (size_t i = 0; i < in.size(); ++i) out[i] = -in[i];
    const workbench::Json rules = batch.model().config()["batch_input"];
    for (const workbench::Json& rule : rules.elements()) {
      const std::string target = rule["target_name"][size_t{0}].string();
      const std::string text = Text(batch.BatchInput(target.c_str()));
      for (workbench::Request& request : batch) request.SetParameter(target.c_str(), text.c_str());
    }
  }
};

}  // namespace

WORKBENCH_BACKEND(Ragged)
