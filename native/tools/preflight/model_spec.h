// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the core is told of a model under trial: read from its configuration, with one instance and without
// batching.
#pragma once

#include <string>
#include <vector>

#include "core.h"

namespace workbench::preflight {

// Where the configuration comes from and whom it is for.
struct ModelSource {
  std::string config_json;
  int64_t version = 1;
  std::string folder;
};

Result<ModelSpec> ReadModelSpec(const Core& core, const ModelSource& source);

// Inputs of zeros and empty strings, with one row and each varying dimension 1.
class ZeroInputs {
 public:
  ZeroInputs(const Core& core, const ModelSignature& signature);
  const std::vector<TensorInput>& tensors() const { return tensors_; }

 private:
  std::vector<TensorInput> tensors_;
  std::vector<std::vector<char>> bytes_;  // what the tensors point to
};

}  // namespace workbench::preflight
