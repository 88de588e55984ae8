// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ModelSignature: what a model declares of its tensors. Immutable once made; requests borrow it from their
// model.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inference/data_type.h"

namespace workbench {

// Names of an output's classes, by index. Shared by the model and its responses, which may outlive it.
using ClassLabels = std::shared_ptr<const std::vector<std::string>>;

struct TensorSpec {
  std::string name;
  DataType type = DataType::kInvalid;
  std::vector<int64_t> dims;  // without the batch dimension; -1 = any
  bool has_reshape = false;
  std::vector<int64_t> reshape;  // the shape that the backend sees, where has_reshape
  bool is_optional = false;
  bool is_shape_tensor = false;
  bool allow_ragged_batch = false;
  ClassLabels labels;   // null: none
  uint16_t number = 0;  // of its name among the engine's tensors

  bool has_variable_dims() const;
};

struct ModelSignature {
  std::string name;
  int64_t version = 1;
  int32_t max_batch_size = 0;  // 0: requests have no batch dimension
  bool is_decoupled = false;
  uint16_t number = 0;  // of (name, version) in events
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;

  bool is_batched() const { return max_batch_size > 0; }
  // The declared tensor of that name, or null.
  const TensorSpec* FindInput(const char* input_name) const;
  const TensorSpec* FindOutput(const char* output_name) const;
  // Whether shapes of requests can differ in a way that forbids one batch of them.
  bool has_variable_shapes() const;
};

// "[1,-1,16]"
std::string ShapeText(const int64_t* dims, size_t count);
inline std::string ShapeText(const std::vector<int64_t>& dims) { return ShapeText(dims.data(), dims.size()); }

}  // namespace workbench
