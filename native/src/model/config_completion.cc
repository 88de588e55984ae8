// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/config_completion.h"

#include <utility>
#include <vector>

#include "workbench/backend/json.hpp"

namespace workbench {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;  // a name and its value as JSON, in order

const Fields kInput = {
    {"name", "\"\""},      {"data_type", "\"TYPE_INVALID\""},   {"format", "\"FORMAT_NONE\""},
    {"dims", "[]"},        {"is_shape_tensor", "false"},        {"allow_ragged_batch", "false"},
    {"optional", "false"}, {"is_non_linear_format_io", "false"}};
const Fields kOutput = {
    {"name", "\"\""},           {"data_type", "\"TYPE_INVALID\""}, {"dims", "[]"},
    {"label_filename", "\"\""}, {"is_shape_tensor", "false"},      {"is_non_linear_format_io", "false"}};
const Fields kDynamicBatching = {{"preferred_batch_size", "[]"},  {"max_queue_delay_microseconds", "0"},
                                 {"preserve_ordering", "false"},  {"priority_levels", "0"},
                                 {"default_priority_level", "0"}, {"priority_queue_policy", "{}"}};
const Fields kDecoupling = {{"decoupled", "false"}};
constexpr const char* kSchedulers[] = {"dynamic_batching", "sequence_batching", "ensemble_scheduling"};

void Set(const std::string& name, std::string value, Fields* fields) {
  for (auto& [known, old] : *fields) {
    if (known == name) {
      old = std::move(value);
      return;
    }
  }
  fields->emplace_back(name, std::move(value));
}

bool Has(const Fields& fields, const std::string& name) {
  for (const auto& field : fields) {
    if (field.first == name) return true;
  }
  return false;
}

Fields FieldsOf(const Json& object, Fields fields = {}) {
  for (const Json::Member& member : object.members())
    Set(member.key, std::string(member.value.text()), &fields);
  return fields;
}

std::string ToJson(const Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    text += text.empty() ? "{\"" : ",\"";
    text += name;
    text += "\":";
    text += value;
  }
  return text.empty() ? "{}" : text + "}";
}

std::string Tensors(const Json& tensors, const Fields& defaults) {
  std::string text;
  for (const Json& tensor : tensors.elements())
    text += (text.empty() ? "" : ",") + ToJson(FieldsOf(tensor, defaults));
  return "[" + text + "]";
}

void SetScheduler(const Json& told, Fields* config) {
  for (const char* scheduler : kSchedulers) {
    if (Has(*config, scheduler)) return;
  }
  for (const char* scheduler : kSchedulers) {
    if (told[scheduler].kind() != Json::Kind::kObject) continue;
    const bool is_dynamic = scheduler == kSchedulers[0];
    Set(scheduler, ToJson(FieldsOf(told[scheduler], is_dynamic ? kDynamicBatching : Fields())), config);
  }
}

std::string Complete(const Json& before, const Json& told) {
  Fields config = FieldsOf(before);
  Set("max_batch_size", std::to_string(told["max_batch_size"].integer()), &config);
  Set("input", Tensors(told["input"], kInput), &config);
  Set("output", Tensors(told["output"], kOutput), &config);
  SetScheduler(told, &config);
  const Json decoupling = told["model_transaction_policy"];
  if (!decoupling.is_null())
    Set("model_transaction_policy", ToJson(FieldsOf(decoupling, kDecoupling)), &config);
  return ToJson(config);
}

}  // namespace

Result<std::string> CompleteConfig(const std::string& before, const std::string& told) {
  try {
    const Json json = Json::Parse(told);
    if (json.kind() != Json::Kind::kObject) return InvalidArgumentError("a configuration is a JSON object");
    return Complete(Json::Parse(before), json);
  } catch (const std::exception& error) {
    return InvalidArgumentError(std::string("the configuration that the backend set: ") + error.what());
  }
}

}  // namespace workbench
