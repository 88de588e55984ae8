// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Session: a model file that ONNX Runtime has read, and its tensors. Run may be called by several threads at
// once, so the instances of a device share one.
#pragma once

#include <string>
#include <vector>
#include <workbench/backend.hpp>

#include "api.h"

namespace ort {

// An input or output of a model. -1 stands for a dimension that varies.
struct Tensor {
  std::string name;
  int element_type = 0;
  std::vector<int64_t> dims;
};

// Where a session runs.
struct Device {
  TRITONSERVER_InstanceGroupKind kind = TRITONSERVER_INSTANCEGROUPKIND_CPU;
  int32_t id = 0;
};

class Session {
 public:
  // Throws INVALID_ARG where an option is none, NOT_FOUND where there is no such file, UNAVAILABLE where the
  // library has not what the options ask for, INTERNAL with the library's words where it refuses the file.
  Session(const Api& api, const workbench::Model& model, const std::string& path, const Device& device);

  const Api& api() const { return api_; }
  const std::vector<Tensor>& inputs() const { return inputs_; }
  const std::vector<Tensor>& outputs() const { return outputs_; }
  // Fills `outputs`, which may hold values to be written to.
  void Run(const std::vector<const char*>& input_names, const std::vector<OrtValue*>& inputs,
           const std::vector<const char*>& output_names, std::vector<OrtValue*>* outputs) const;

 private:
  void ReadTensors();
  Tensor TensorOf(OrtTypeInfo* type, char* name) const;

  const Api& api_;
  const Owned<OrtRunOptions> run_options_;
  const Owned<OrtSession> session_;
  std::vector<Tensor> inputs_;
  std::vector<Tensor> outputs_;
};

}  // namespace ort
