// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// WarmUp: runs an instance on made-up requests before it serves, so that the first real ones find it warm.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "inference/data_type.h"

namespace workbench {

class Model;
class ModelInstance;

// One entry of a configuration's model_warmup. A value.
struct WarmupSample {
  struct Input {
    std::string name;
    DataType type = DataType::kInvalid;
    std::vector<int64_t> shape;  // with the batch dimension, which is 1
    std::string bytes;
  };

  std::string name;
  uint32_t requests = 1;    // in one execution
  uint32_t executions = 1;  // one after the other
  std::vector<Input> inputs;
};

// On the instance's own thread. INVALID_ARGUMENT names the sample that failed, and why.
Status WarmUp(const std::vector<WarmupSample>& samples, Model* model, ModelInstance* instance);

}  // namespace workbench
