// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs ONNX models with ONNX Runtime. options.h lists the parameters.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <vector>
#include <workbench/backend.hpp>

#include "completion.h"
#include "environment.h"
#include "execution.h"
#include "session.h"

namespace ort {
namespace {

std::string FileOf(const workbench::Model& model) {
  const std::string name = model.config()["default_model_filename"].string();
  return model.path(name.empty() ? "model.onnx" : name);
}

// A model, and its sessions: one for each device that its instances run on.
class OnnxModel {
 public:
  explicit OnnxModel(workbench::Model& model) : model_(model), api_(ApiOf(model)) {
    const auto session = SessionFor(FirstDevice());
    if (model.may_complete()) {
      const int64_t batch =
          std::strtol(model.backend_setting("default-max-batch-size", "4").c_str(), nullptr, 10);
      const std::string config = Complete(model, *session, batch);
      if (!config.empty()) model.SetConfig(config);
    }
  }

  // Of an instance, which is made when the configuration is complete.
  std::shared_ptr<const Session> SessionFor(const Device& device) {
    // Instances are made by several threads.
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool is_gpu = device.kind == TRITONSERVER_INSTANCEGROUPKIND_GPU;
    std::shared_ptr<const Session>& session = sessions_[is_gpu ? device.id : -1];
    if (!session) session = std::make_shared<const Session>(api_, model_, FileOf(model_), device);
    return session;
  }
  const workbench::Model& model() const { return model_; }

 private:
  // What reads the file: a device of the model's own instances, so that a model for GPUs alone takes no other
  // memory.
  Device FirstDevice() const {
    const std::vector<workbench::Json> groups = model_.config()["instance_group"].elements();
    const bool is_gpu =
        !groups.empty() && std::all_of(groups.begin(), groups.end(), [](const workbench::Json& group) {
          return group["kind"].string() == "KIND_GPU";
        });
    if (!is_gpu) return {};
    return {TRITONSERVER_INSTANCEGROUPKIND_GPU, static_cast<int32_t>(groups.front()["gpus"][0].integer())};
  }

  workbench::Model& model_;
  const Api& api_;
  std::mutex mutex_;
  std::map<int32_t, std::shared_ptr<const Session>> sessions_;
};

class OnnxInstance {
 public:
  OnnxInstance(OnnxModel& model, const workbench::Instance& instance)
      : session_(model.SessionFor({instance.kind(), instance.device_id()})),
        execution_(model.model(), *session_) {
    RequireFit(model.model(), *session_);
  }

  void Execute(workbench::Batch& batch) { execution_.Run(batch); }

 private:
  const std::shared_ptr<const Session> session_;
  Execution execution_;
};

}  // namespace
}  // namespace ort

using OnnxInstance = ort::OnnxInstance;
using OnnxModel = ort::OnnxModel;
WORKBENCH_BACKEND(OnnxInstance, OnnxModel)
