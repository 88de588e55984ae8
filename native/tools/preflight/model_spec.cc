// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model_spec.h"

#include <algorithm>

#include "sequence_spec.h"
#include "workbench/backend/json.hpp"

namespace workbench::preflight {

std::vector<int64_t> ReadDims(const Json& dims) {
  std::vector<int64_t> values;
  for (const Json& dim : dims.elements()) values.push_back(dim.integer());
  return values;
}

DataType ReadDataType(const Core& core, const std::string& name) {
  if (name == "TYPE_STRING") return DataType::kBytes;
  for (int type = TRITONSERVER_TYPE_BOOL; type <= TRITONSERVER_TYPE_BF16; ++type) {
    const char* candidate = core.data_type_string(static_cast<TRITONSERVER_DataType>(type));
    if (name == std::string("TYPE_") + candidate) return static_cast<DataType>(type);
  }
  return DataType::kInvalid;
}

namespace {

std::vector<TensorSpec> ReadTensors(const Core& core, const Json& tensors) {
  std::vector<TensorSpec> specs;
  for (const Json& tensor : tensors.elements()) {
    TensorSpec spec;
    spec.name = tensor["name"].string();
    spec.type = ReadDataType(core, tensor["data_type"].string());
    spec.dims = ReadDims(tensor["dims"]);
    spec.has_reshape = !tensor["reshape"].is_null();
    spec.reshape = ReadDims(tensor["reshape"]["shape"]);
    spec.is_optional = tensor["optional"].boolean();
    spec.is_shape_tensor = tensor["is_shape_tensor"].boolean();
    spec.allow_ragged_batch = tensor["allow_ragged_batch"].boolean();
    specs.push_back(std::move(spec));
  }
  return specs;
}

InstanceSpec ReadInstance(const Json& config) {
  const Json group = config["instance_group"][size_t{0}];
  InstanceSpec instance;
  instance.name = config["name"].string() + "_0";
  instance.kind = group["kind"].string() == "KIND_GPU"     ? "GPU"
                  : group["kind"].string() == "KIND_MODEL" ? "MODEL"
                                                           : "CPU";
  instance.device_id = static_cast<int32_t>(group["gpus"][size_t{0}].integer());
  return instance;
}

}  // namespace

Result<ModelSpec> ReadModelSpec(const Core& core, const ModelSource& source) {
  Json config;
  try {
    config = Json::Parse(source.config_json);
  } catch (const std::exception& error) {
    return InvalidArgumentError(error.what());
  }
  ModelSpec spec;
  spec.signature.name = config["name"].string();
  spec.signature.version = source.version;
  spec.signature.max_batch_size = static_cast<int32_t>(config["max_batch_size"].integer());
  spec.signature.is_decoupled = config["model_transaction_policy"]["decoupled"].boolean();
  spec.signature.inputs = ReadTensors(core, config["input"]);
  spec.signature.outputs = ReadTensors(core, config["output"]);
  spec.scheduling.sequence = ReadSequence(core, config);
  spec.instances = {ReadInstance(config)};
  spec.folder = source.folder;
  spec.config_json = source.config_json;
  return spec;
}

ZeroInputs::ZeroInputs(const Core& core, const ModelSignature& signature) {
  for (const TensorSpec& input : signature.inputs) {
    TensorInput tensor;
    tensor.name = input.name;
    tensor.type = input.type;
    if (signature.is_batched()) tensor.shape.push_back(1);
    int64_t count = 1;
    for (int64_t dim : input.dims) {
      tensor.shape.push_back(std::max<int64_t>(dim, 1));
      count *= tensor.shape.back();
    }
    const uint32_t element = core.data_type_byte_size(static_cast<TRITONSERVER_DataType>(input.type));
    // An empty string is its length alone: four zero bytes.
    tensor.byte_size = static_cast<size_t>(count) * (element == 0 ? sizeof(uint32_t) : element);
    bytes_.emplace_back(tensor.byte_size);
    tensor.base = bytes_.back().data();
    tensors_.push_back(std::move(tensor));
  }
}

}  // namespace workbench::preflight
