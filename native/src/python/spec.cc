// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/spec.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "python/data_type.h"

namespace workbench {
namespace {

namespace py = pybind11;

template <typename T>
T Get(py::handle object, const char* name) {
  return object.attr(name).cast<T>();
}

TensorSpec TensorFrom(py::handle object) {
  TensorSpec tensor;
  tensor.name = Get<std::string>(object, "name");
  tensor.type = TypeNamed(Get<std::string>(object, "data_type"));
  tensor.dims = Get<std::vector<int64_t>>(object, "dims");
  const py::object reshape = object.attr("reshape");
  tensor.has_reshape = !reshape.is_none();
  if (tensor.has_reshape) tensor.reshape = reshape.cast<std::vector<int64_t>>();
  tensor.is_optional = Get<bool>(object, "optional");
  tensor.is_shape_tensor = Get<bool>(object, "is_shape_tensor");
  tensor.allow_ragged_batch = Get<bool>(object, "allow_ragged");
  return tensor;
}

std::vector<TensorSpec> TensorsFrom(py::handle objects) {
  std::vector<TensorSpec> tensors;
  for (py::handle object : objects) tensors.push_back(TensorFrom(object));
  return tensors;
}

InstanceSpec InstanceFrom(py::handle object) {
  return {Get<std::string>(object, "name"), Get<std::string>(object, "kind"),
          Get<int32_t>(object, "device_id"), Get<bool>(object, "passive"),
          Get<std::string>(object, "host_policy")};
}

}  // namespace

BatchingOptions BatchingFrom(py::handle batching, int32_t max_batch_size) {
  BatchingOptions options;
  options.is_dynamic = Get<bool>(batching, "dynamic");
  options.max_batch_size = static_cast<uint32_t>(std::max(1, max_batch_size));
  options.max_queue_delay_ns = Get<uint64_t>(batching, "max_queue_delay_ns");
  options.preferred_batch_sizes = Get<std::vector<uint32_t>>(batching, "preferred_batch_size");
  return options;
}

ModelSpec ModelSpecFrom(py::handle object) {
  ModelSpec spec;
  spec.signature.name = Get<std::string>(object, "name");
  spec.signature.version = Get<int64_t>(object, "version");
  spec.signature.max_batch_size = Get<int32_t>(object, "max_batch_size");
  spec.signature.is_decoupled = Get<bool>(object, "decoupled");
  spec.signature.inputs = TensorsFrom(object.attr("inputs"));
  spec.signature.outputs = TensorsFrom(object.attr("outputs"));
  spec.batching = BatchingFrom(object.attr("batching"), spec.signature.max_batch_size);
  for (py::handle instance : object.attr("instances")) spec.instances.push_back(InstanceFrom(instance));
  spec.folder = Get<std::string>(object, "path");
  spec.config_json = Get<std::string>(object, "config_json");
  return spec;
}

}  // namespace workbench
