// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sequence_spec.h"

#include <algorithm>

namespace workbench::preflight {
namespace {

template <typename T>
std::string BytesOf(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

ControlSpec::Kind ReadKind(const std::string& name) {
  if (name == "CONTROL_SEQUENCE_END") return ControlSpec::Kind::kEnd;
  if (name == "CONTROL_SEQUENCE_READY") return ControlSpec::Kind::kReady;
  if (name == "CONTROL_SEQUENCE_CORRID") return ControlSpec::Kind::kCorrelationId;
  return ControlSpec::Kind::kStart;
}

template <typename Convert>
void SetValues(const Json& values, DataType type, ControlSpec* control, Convert convert) {
  if (values.size() != 2) return;
  control->input.type = type;
  control->false_bytes = convert(values[size_t{0}]);
  control->true_bytes = convert(values[1]);
}

ControlSpec ReadControl(const Core& core, const std::string& name, const Json& json) {
  ControlSpec control;
  control.kind = ReadKind(json["kind"].string());
  control.input.name = name;
  control.input.type = ReadDataType(core, json["data_type"].string());
  SetValues(json["int32_false_true"], DataType::kInt32, &control,
            [](const Json& value) { return BytesOf(static_cast<int32_t>(value.integer())); });
  SetValues(json["fp32_false_true"], DataType::kFp32, &control,
            [](const Json& value) { return BytesOf(static_cast<float>(value.number())); });
  SetValues(json["bool_false_true"], DataType::kBool, &control,
            [](const Json& value) { return BytesOf(value.boolean()); });
  return control;
}

StateSpec ReadState(const Core& core, const Json& json) {
  StateSpec state;
  state.input.name = json["input_name"].string();
  state.input.type = ReadDataType(core, json["data_type"].string());
  state.input.dims = ReadDims(json["dims"]);
  state.output_name = json["output_name"].string();
  const Json initial = json["initial_state"][size_t{0}];
  state.initial_dims = initial.is_null() ? state.input.dims : ReadDims(initial["dims"]);
  for (int64_t& dim : state.initial_dims) dim = std::max<int64_t>(dim, 1);
  state.uses_same_buffer = json["use_same_buffer_for_input_output"].boolean();
  state.is_growable = json["use_growable_memory"].boolean();
  return state;
}

}  // namespace

SequenceOptions ReadSequence(const Core& core, const Json& config) {
  SequenceOptions options;
  const Json sequence = config["sequence_batching"];
  if (sequence.is_null()) return options;
  options.strategy =
      sequence["oldest"].is_null() ? SequenceOptions::Strategy::kDirect : SequenceOptions::Strategy::kOldest;
  options.is_iterative = sequence["iterative_sequence"].boolean();
  for (const Json& tensor : sequence["control_input"].elements()) {
    for (const Json& control : tensor["control"].elements()) {
      options.controls.push_back(ReadControl(core, tensor["name"].string(), control));
    }
  }
  for (const Json& state : sequence["state"].elements()) options.states.push_back(ReadState(core, state));
  return options;
}

}  // namespace workbench::preflight
