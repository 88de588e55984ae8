// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Model and Instance: what the core tells a backend about whom it works for. Read-only, so any thread may
// ask; they outlive the states that the backend makes for them.
#pragma once

#include <string>

#include "triton/core/tritonbackend.h"
#include "workbench/backend/json.hpp"

namespace workbench {

class Model {
 public:
  explicit Model(TRITONBACKEND_Model* handle);

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
  std::string parameter(const std::string& key) const;
  // The same, or the fallback. A number that is none throws INVALID_ARG.
  std::string parameter(const std::string& key, const char* fallback) const;
  double parameter(const std::string& key, double fallback) const;
  int64_t parameter(const std::string& key, int64_t fallback) const;
  int64_t parameter(const std::string& key, int fallback) const { return parameter(key, int64_t{fallback}); }
  bool has_parameter(const std::string& key) const;

  // A setting of the backend, as the server was told of it by its name.
  std::string backend_setting(const std::string& key, const char* fallback) const;
  // Whether the server lets a backend complete configurations.
  bool may_complete() const;
  // A whole configuration in JSON that takes the place of this one; before there are instances.
  void SetConfig(const std::string& json);

  // A file that the configuration names: absolute, or in the version's folder, or else in the model's.
  std::string path(const std::string& relative) const;

 private:
  static constexpr double kNotANumber = -1.7e308;

  std::string ConfigText() const;
  void ReadConfig();
  Json ParameterValue(const std::string& key) const;
  template <typename T>
  T RequireNumber(const std::string& key, T value, bool is_number) const;

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
  Instance(TRITONBACKEND_ModelInstance* handle, const Model& model);

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

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/model.hpp"
#endif
