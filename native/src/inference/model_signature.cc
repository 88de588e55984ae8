// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/model_signature.h"

#include <algorithm>
#include <cstring>

namespace workbench {
namespace {

const TensorSpec* Find(const std::vector<TensorSpec>& tensors, const char* name) {
  for (const TensorSpec& tensor : tensors) {
    // Names handed out by the core come back to it: comparing addresses first spares most string comparisons.
    if (tensor.name.c_str() == name || std::strcmp(tensor.name.c_str(), name) == 0) return &tensor;
  }
  return nullptr;
}

}  // namespace

bool TensorSpec::has_variable_dims() const { return std::find(dims.begin(), dims.end(), -1) != dims.end(); }

const TensorSpec* ModelSignature::FindInput(const char* input_name) const { return Find(inputs, input_name); }

const TensorSpec* ModelSignature::FindOutput(const char* output_name) const {
  return Find(outputs, output_name);
}

bool ModelSignature::has_variable_shapes() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const TensorSpec& input) {
    return input.is_optional || input.is_shape_tensor ||
           (input.has_variable_dims() && !input.allow_ragged_batch);
  });
}

std::string ShapeText(const int64_t* dims, size_t count) {
  std::string text = "[";
  for (size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + std::to_string(dims[i]);
  return text + "]";
}

}  // namespace workbench
