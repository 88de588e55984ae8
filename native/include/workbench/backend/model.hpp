// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Model and Instance: what the core tells a backend about whom it works for. Read-only, so any thread may
// ask; they outlive the states that the backend makes for them.
#pragma once

#include <unistd.h>

#include <string>

#include "triton/core/tritonbackend.h"
#include "workbench/backend/json.hpp"

namespace workbench {

namespace detail {

inline std::string TakeText(TRITONSERVER_Message* message) {
  const char* base = nullptr;
  size_t byte_size = 0;
  Check(TRITONSERVER_MessageSerializeToJson(message, &base, &byte_size));
  return std::string(base, byte_size);
}

}  // namespace detail

class Model {
 public:
  explicit Model(TRITONBACKEND_Model* handle) : handle_(handle) {
    const char* text = nullptr;
    Check(TRITONBACKEND_ModelName(handle, &text));
    name_ = text;
    Check(TRITONBACKEND_ModelVersion(handle, &version_));
    TRITONBACKEND_ArtifactType type = TRITONBACKEND_ARTIFACT_FILESYSTEM;
    Check(TRITONBACKEND_ModelRepository(handle, &type, &text));
    folder_ = text;
    config_text_ = ConfigText();
    config_ = Json::Parse(config_text_);
    max_batch_size_ = config_["max_batch_size"].integer();
  }

  const std::string& name() const { return name_; }
  uint64_t version() const { return version_; }
  // The model's folder: the one that holds config.pbtxt and the versions' folders.
  const std::string& folder() const { return folder_; }
  // The whole configuration, with the names of its fields.
  Json config() const { return config_; }
  // 0: the model does not batch, and its tensors have no batch dimension.
  int64_t max_batch_size() const { return max_batch_size_; }
  TRITONBACKEND_Model* handle() const { return handle_; }
  Model(const Model&) = delete;  // config_ points into config_text_

  // A value of the configuration's `parameters`. Throws INVALID_ARG where it is not there.
  std::string parameter(const std::string& key) const {
    if (has_parameter(key)) return ParameterValue(key).string();
    throw InvalidArgument(detail::Join({"model '", name_, "' needs parameters { key: \"", key,
                                        "\" value { string_value: \"...\" } } in its configuration"}));
  }
  // The same, or the fallback. A number that is none throws INVALID_ARG.
  std::string parameter(const std::string& key, const char* fallback) const {
    return has_parameter(key) ? ParameterValue(key).string() : fallback;
  }
  double parameter(const std::string& key, double fallback) const {
    const double value = ParameterValue(key).number(kNotANumber);
    return has_parameter(key) ? RequireNumber(key, value, value != kNotANumber) : fallback;
  }
  int64_t parameter(const std::string& key, int64_t fallback) const {
    const int64_t value = ParameterValue(key).integer(INT64_MIN);
    return has_parameter(key) ? RequireNumber(key, value, value != INT64_MIN) : fallback;
  }
  int64_t parameter(const std::string& key, int fallback) const { return parameter(key, int64_t{fallback}); }
  bool has_parameter(const std::string& key) const { return !config_["parameters"][key].is_null(); }

  // A file that the configuration names: absolute, or in the version's folder, or else in the model's.
  std::string path(const std::string& relative) const {
    if (!relative.empty() && relative.front() == '/') return relative;
    const std::string version = detail::Decimal(static_cast<int64_t>(version_));
    const std::string of_version = detail::Join({folder_, "/", version, "/", relative});
    return access(of_version.c_str(), R_OK) == 0 ? of_version : detail::Join({folder_, "/", relative});
  }

 private:
  static constexpr double kNotANumber = -1.7e308;

  std::string ConfigText() const {
    TRITONSERVER_Message* message = nullptr;
    Check(TRITONBACKEND_ModelConfig(handle_, 1, &message));
    struct Deleter {
      TRITONSERVER_Message* message;
      ~Deleter() { detail::LogFailure(TRITONSERVER_MessageDelete(message), "deleting a configuration"); }
    } deleter{message};
    return detail::TakeText(message);
  }
  Json ParameterValue(const std::string& key) const { return config_["parameters"][key]["string_value"]; }
  template <typename T>
  T RequireNumber(const std::string& key, T value, bool is_number) const {
    if (is_number) return value;
    throw InvalidArgument(detail::Join({"parameter '", key, "' of model '", name_, "' is \"",
                                        ParameterValue(key).string(), "\", which is no number"}));
  }

  TRITONBACKEND_Model* handle_;
  std::string name_;
  uint64_t version_ = 0;
  std::string folder_;
  std::string config_text_;
  Json config_;
  int64_t max_batch_size_ = 0;
};

class Instance {
 public:
  Instance(TRITONBACKEND_ModelInstance* handle, const Model& model) : handle_(handle), model_(model) {
    const char* text = nullptr;
    Check(TRITONBACKEND_ModelInstanceName(handle, &text));
    name_ = text;
    Check(TRITONBACKEND_ModelInstanceKind(handle, &kind_));
    Check(TRITONBACKEND_ModelInstanceDeviceId(handle, &device_id_));
  }

  const std::string& name() const { return name_; }
  const Model& model() const { return model_; }
  TRITONSERVER_InstanceGroupKind kind() const { return kind_; }
  // The GPU of an instance of that kind; 0 for others.
  int32_t device_id() const { return device_id_; }
  TRITONBACKEND_ModelInstance* handle() const { return handle_; }

 private:
  TRITONBACKEND_ModelInstance* handle_;
  const Model& model_;
  std::string name_;
  TRITONSERVER_InstanceGroupKind kind_ = TRITONSERVER_INSTANCEGROUPKIND_CPU;
  int32_t device_id_ = 0;
};

}  // namespace workbench
