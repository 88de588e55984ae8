// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/spec.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
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
  auto labels = Get<std::vector<std::string>>(object, "labels");
  if (!labels.empty()) tensor.labels = std::make_shared<const std::vector<std::string>>(std::move(labels));
  return tensor;
}

std::vector<TensorSpec> TensorsFrom(py::handle objects) {
  std::vector<TensorSpec> tensors;
  for (py::handle object : objects) tensors.push_back(TensorFrom(object));
  return tensors;
}

RateLimit LimitFrom(py::handle object) {
  RateLimit limit;
  for (py::handle row : object.attr("resources")) {
    const auto [name, is_global, count] = row.cast<std::tuple<std::string, bool, uint32_t>>();
    limit.resources.push_back({name, is_global, count});
  }
  limit.priority = Get<uint32_t>(object, "priority");
  return limit;
}

InstanceSpec InstanceFrom(py::handle object) {
  return {Get<std::string>(object, "name"),
          Get<std::string>(object, "kind"),
          Get<int32_t>(object, "device_id"),
          Get<bool>(object, "passive"),
          Get<std::string>(object, "host_policy"),
          Get<std::vector<std::string>>(object, "profiles"),
          Get<std::vector<std::pair<std::string, int64_t>>>(object, "secondary_devices"),
          LimitFrom(object.attr("rate_limit"))};
}

EnsembleStep StepFrom(py::handle object) {
  return {Get<std::string>(object, "model_name"), Get<int64_t>(object, "model_version"),
          Get<EnsembleStep::Mapping>(object, "inputs"), Get<EnsembleStep::Mapping>(object, "outputs"),
          Get<bool>(object, "decoupled")};
}

WarmupSample WarmupFrom(py::handle object) {
  WarmupSample sample;
  sample.name = Get<std::string>(object, "name");
  sample.requests = Get<uint32_t>(object, "batch_size");
  sample.executions = Get<uint32_t>(object, "count");
  for (py::handle input : object.attr("inputs")) {
    sample.inputs.push_back({Get<std::string>(input, "name"), TypeNamed(Get<std::string>(input, "data_type")),
                             Get<std::vector<int64_t>>(input, "shape"),
                             Get<py::bytes>(input, "data").cast<std::string>()});
  }
  return sample;
}

QueuePolicy PolicyFrom(py::handle object) {
  QueuePolicy policy;
  policy.timeout_action =
      Get<std::string>(object, "timeout_action") == "DELAY" ? TimeoutAction::kDelay : TimeoutAction::kReject;
  policy.default_timeout_ns = Get<uint64_t>(object, "default_timeout_us") * 1000;
  policy.allow_timeout_override = Get<bool>(object, "allow_timeout_override");
  policy.max_queue_size = Get<uint32_t>(object, "max_queue_size");
  return policy;
}

ControlSpec ControlFrom(py::handle object) {
  static const std::unordered_map<std::string, ControlSpec::Kind> kinds = {
      {"START", ControlSpec::Kind::kStart},
      {"END", ControlSpec::Kind::kEnd},
      {"READY", ControlSpec::Kind::kReady},
      {"CORRID", ControlSpec::Kind::kCorrelationId}};
  ControlSpec control;
  control.kind = kinds.at(Get<std::string>(object, "kind"));
  control.input.name = Get<std::string>(object, "name");
  control.input.type = TypeNamed(Get<std::string>(object, "data_type"));
  control.input.dims = {1};
  control.false_bytes = Get<std::string>(object, "false_bytes");
  control.true_bytes = Get<std::string>(object, "true_bytes");
  return control;
}

StateSpec StateFrom(py::handle object) {
  StateSpec state;
  state.input.name = Get<std::string>(object, "input_name");
  state.input.type = TypeNamed(Get<std::string>(object, "data_type"));
  state.input.dims = Get<std::vector<int64_t>>(object, "dims");
  state.output_name = Get<std::string>(object, "output_name");
  state.initial_dims = Get<std::vector<int64_t>>(object, "initial_dims");
  state.initial_bytes = Get<std::string>(object, "initial_bytes");
  state.uses_same_buffer = Get<bool>(object, "same_buffer");
  state.is_growable = Get<bool>(object, "growable");
  return state;
}

SequenceOptions SequenceFrom(py::handle object) {
  SequenceOptions sequence;
  if (object.is_none()) return sequence;
  const bool is_oldest = Get<std::string>(object, "strategy") == "oldest";
  sequence.strategy = is_oldest ? SequenceOptions::Strategy::kOldest : SequenceOptions::Strategy::kDirect;
  sequence.max_idle_ns = Get<uint64_t>(object, "max_idle_ns");
  sequence.max_candidate_sequences = Get<uint32_t>(object, "max_candidate_sequences");
  sequence.minimum_slot_utilization = Get<double>(object, "minimum_slot_utilization");
  sequence.is_iterative = Get<bool>(object, "iterative");
  for (py::handle control : object.attr("controls")) sequence.controls.push_back(ControlFrom(control));
  for (py::handle state : object.attr("states")) sequence.states.push_back(StateFrom(state));
  return sequence;
}

}  // namespace

SchedulingOptions SchedulingFrom(py::handle batching, int32_t max_batch_size) {
  SchedulingOptions options;
  options.batching.is_dynamic = Get<bool>(batching, "dynamic");
  options.batching.max_batch_size = static_cast<uint32_t>(std::max(1, max_batch_size));
  options.batching.max_queue_delay_ns = Get<uint64_t>(batching, "max_queue_delay_ns");
  options.batching.preferred_batch_sizes = Get<std::vector<uint32_t>>(batching, "preferred_batch_size");
  options.preserve_ordering = Get<bool>(batching, "preserve_ordering");
  options.queue.priority_levels = Get<uint32_t>(batching, "priority_levels");
  options.queue.default_priority_level = Get<uint32_t>(batching, "default_priority_level");
  options.queue.default_policy = PolicyFrom(batching.attr("default_policy"));
  for (auto [level, policy] : py::dict(batching.attr("level_policies"))) {
    options.queue.level_policies[level.cast<uint32_t>()] = PolicyFrom(policy);
  }
  options.sequence = SequenceFrom(batching.attr("sequence"));
  return options;
}

std::vector<InstanceSpec> InstancesFrom(py::handle objects) {
  std::vector<InstanceSpec> instances;
  for (py::handle object : objects) instances.push_back(InstanceFrom(object));
  return instances;
}

EnsembleOptions EnsembleFrom(py::handle object) {
  EnsembleOptions options;
  for (py::handle step : object.attr("steps")) options.steps.push_back(StepFrom(step));
  options.max_inflight_requests = Get<uint32_t>(object, "max_inflight_requests");
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
  spec.scheduling = SchedulingFrom(object.attr("batching"), spec.signature.max_batch_size);
  spec.instances = InstancesFrom(object.attr("instances"));
  spec.folder = Get<std::string>(object, "path");
  spec.config_json = Get<std::string>(object, "config_json");
  spec.metric_tags = Get<Labels>(object, "metric_tags");
  spec.first_response_buckets_ms = Get<std::vector<double>>(object, "first_response_buckets_ms");
  spec.is_cached = Get<bool>(object, "response_cache");
  spec.batch_strategy = Get<std::string>(object, "batch_strategy");
  spec.may_auto_complete = Get<bool>(object, "may_auto_complete");
  for (py::handle sample : object.attr("warmup")) spec.warmup.push_back(WarmupFrom(sample));
  const py::object ensemble = object.attr("ensemble");
  if (!ensemble.is_none()) spec.ensemble = EnsembleFrom(ensemble);
  return spec;
}

}  // namespace workbench
