// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the synthetic backend answers: for each output its input repeated, or zeros of the configured shape.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>
#include <workbench/backend.hpp>

namespace synthetic {

struct OutputRule {
  std::string name;
  std::string input;  // the one at the same place, or the last; empty where the model has none
  TRITONSERVER_DataType type;
  std::vector<int64_t> dims;  // as configured, without the batch dimension
};

// "TYPE_FP32" -> FP32. The configuration's TYPE_STRING is the interface's BYTES.
inline TRITONSERVER_DataType ReadDataType(const std::string& text) {
  if (text == "TYPE_STRING") return TRITONSERVER_TYPE_BYTES;
  for (int type = TRITONSERVER_TYPE_BOOL; type <= TRITONSERVER_TYPE_BF16; ++type) {
    const auto candidate = static_cast<TRITONSERVER_DataType>(type);
    if (text == std::string("TYPE_") + TRITONSERVER_DataTypeString(candidate)) return candidate;
  }
  throw workbench::InvalidArgument("unknown data type " + text);
}

inline std::vector<OutputRule> ReadOutputs(const workbench::Model& model) {
  const workbench::Json inputs = model.config()["input"];
  std::vector<OutputRule> rules;
  for (const workbench::Json& output : model.config()["output"].elements()) {
    const size_t place = std::min(rules.size(), std::max<size_t>(inputs.size(), 1) - 1);
    OutputRule rule{output["name"].string(),
                    inputs[place]["name"].string(),
                    ReadDataType(output["data_type"].string()),
                    {}};
    for (const workbench::Json& dim : output["dims"].elements()) rule.dims.push_back(dim.integer());
    rules.push_back(rule);
  }
  return rules;
}

// Whether the input could be this output: type, number of dimensions and each fixed dimension agree.
inline bool MayRepeat(const OutputRule& rule, const workbench::Input& input) {
  const workbench::Shape shape = input.shape();
  if (input.data_type() != rule.type || shape.size() < rule.dims.size()) return false;
  const size_t batch_dims = shape.size() - rule.dims.size();
  for (size_t i = 0; i < rule.dims.size(); ++i) {
    if (rule.dims[i] != -1 && rule.dims[i] != shape[batch_dims + i]) return false;
  }
  return batch_dims <= 1;
}

inline void WriteZeros(const OutputRule& rule, bool has_batch_dimension, workbench::Request& request) {
  std::vector<int64_t> shape;
  if (has_batch_dimension) shape.push_back(request.rows());
  for (int64_t dim : rule.dims) shape.push_back(std::max<int64_t>(dim, 1));
  // A string of no characters is its length alone: four zero bytes.
  const uint32_t element_size =
      rule.type == TRITONSERVER_TYPE_BYTES ? 4 : TRITONSERVER_DataTypeByteSize(rule.type);
  const auto byte_size = static_cast<uint64_t>(workbench::ElementCount(shape)) * element_size;
  std::memset(request.output(rule.name.c_str()).Allocate(rule.type, shape, byte_size), 0, byte_size);
}

inline void Fill(const OutputRule& rule, bool has_batch_dimension, workbench::Request& request) {
  if (!rule.input.empty() && request.has_input(rule.input.c_str())) {
    const workbench::Input input = request.input(rule.input.c_str());
    if (MayRepeat(rule, input)) return request.output(rule.name.c_str()).CopyFrom(input);
  }
  WriteZeros(rule, has_batch_dimension, request);
}

}  // namespace synthetic
