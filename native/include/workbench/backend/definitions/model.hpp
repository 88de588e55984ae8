// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What model.hpp declares.
#pragma once

#include <unistd.h>

#include "workbench/backend/model.hpp"

namespace workbench {

namespace detail {

WB_INLINE std::string TakeText(TRITONSERVER_Message* message) {
  const char* base = nullptr;
  size_t byte_size = 0;
  Check(TRITONSERVER_MessageSerializeToJson(message, &base, &byte_size));
  return std::string(base, byte_size);
}

}  // namespace detail

template <typename T>
T Model::RequireNumber(const std::string& key, T value, bool is_number) const {
  if (is_number) return value;
  throw InvalidArgument(detail::Join({"parameter '", key, "' of model '", name_, "' is \"",
                                      ParameterValue(key).string(), "\", which is no number"}));
}

WB_INLINE Model::Model(TRITONBACKEND_Model* handle) : handle_(handle) {
  const char* text = nullptr;
  Check(TRITONBACKEND_ModelName(handle, &text));
  name_ = text;
  Check(TRITONBACKEND_ModelVersion(handle, &version_));
  TRITONBACKEND_ArtifactType type = TRITONBACKEND_ARTIFACT_FILESYSTEM;
  Check(TRITONBACKEND_ModelRepository(handle, &type, &text));
  folder_ = text;
  ReadConfig();
}

WB_INLINE void Model::ReadConfig() {
  config_text_ = ConfigText();
  config_ = Json::Parse(config_text_);
  max_batch_size_ = config_["max_batch_size"].integer();
}

WB_INLINE std::string Model::backend_setting(const std::string& key, const char* fallback) const {
  TRITONBACKEND_Backend* backend = nullptr;
  Check(TRITONBACKEND_ModelBackend(handle_, &backend));
  TRITONSERVER_Message* message = nullptr;  // the backend's own
  Check(TRITONBACKEND_BackendConfig(backend, &message));
  const std::string text = detail::TakeText(message);
  return Json::Parse(text)["cmdline"][key].string(fallback);
}

WB_INLINE bool Model::may_complete() const {
  bool may = false;
  Check(TRITONBACKEND_ModelAutoCompleteConfig(handle_, &may));
  return may;
}

WB_INLINE void Model::SetConfig(const std::string& json) {
  TRITONSERVER_Message* message = nullptr;
  Check(TRITONSERVER_MessageNewFromSerializedJson(&message, json.data(), json.size()));
  TRITONSERVER_Error* const refusal = TRITONBACKEND_ModelSetConfig(handle_, 1, message);
  detail::LogFailure(TRITONSERVER_MessageDelete(message), "deleting a configuration");
  Check(refusal);
  ReadConfig();
}

WB_INLINE std::string Model::parameter(const std::string& key) const {
  if (has_parameter(key)) return ParameterValue(key).string();
  throw InvalidArgument(detail::Join({"model '", name_, "' needs parameters { key: \"", key,
                                      "\" value { string_value: \"...\" } } in its configuration"}));
}

WB_INLINE std::string Model::parameter(const std::string& key, const char* fallback) const {
  return has_parameter(key) ? ParameterValue(key).string() : fallback;
}

WB_INLINE double Model::parameter(const std::string& key, double fallback) const {
  const double value = ParameterValue(key).number(kNotANumber);
  return has_parameter(key) ? RequireNumber(key, value, value != kNotANumber) : fallback;
}

WB_INLINE int64_t Model::parameter(const std::string& key, int64_t fallback) const {
  const int64_t value = ParameterValue(key).integer(INT64_MIN);
  return has_parameter(key) ? RequireNumber(key, value, value != INT64_MIN) : fallback;
}

WB_INLINE bool Model::has_parameter(const std::string& key) const {
  return !config_["parameters"][key].is_null();
}

WB_INLINE std::string Model::path(const std::string& relative) const {
  if (!relative.empty() && relative.front() == '/') return relative;
  const std::string version = detail::Decimal(static_cast<int64_t>(version_));
  const std::string of_version = detail::Join({folder_, "/", version, "/", relative});
  return access(of_version.c_str(), R_OK) == 0 ? of_version : detail::Join({folder_, "/", relative});
}

WB_INLINE std::string Model::ConfigText() const {
  TRITONSERVER_Message* message = nullptr;
  Check(TRITONBACKEND_ModelConfig(handle_, 1, &message));
  struct Deleter {
    TRITONSERVER_Message* message;
    ~Deleter() { detail::LogFailure(TRITONSERVER_MessageDelete(message), "deleting a configuration"); }
  } deleter{message};
  return detail::TakeText(message);
}

WB_INLINE Json Model::ParameterValue(const std::string& key) const {
  return config_["parameters"][key]["string_value"];
}

WB_INLINE Instance::Instance(TRITONBACKEND_ModelInstance* handle, const Model& model)
    : handle_(handle), model_(model) {
  const char* text = nullptr;
  Check(TRITONBACKEND_ModelInstanceName(handle, &text));
  name_ = text;
  Check(TRITONBACKEND_ModelInstanceKind(handle, &kind_));
  Check(TRITONBACKEND_ModelInstanceDeviceId(handle, &device_id_));
}

}  // namespace workbench
