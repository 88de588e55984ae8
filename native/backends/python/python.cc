// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a model.py. Parameter `isolation`: "kernel" (the default) runs it in this process, "process" in a
// child.
#include <memory>
#include <string>

#include "executor.h"
#include "workbench/backend.hpp"

namespace workbench::python_backend {
namespace {

// A backend that is written in Python runs its own file for each of its models.
std::string FileOf(const Model& model) {
  const std::string own = model.backend_setting("model_file", "");
  if (!own.empty()) return own;
  const std::string given = model.config()["default_model_filename"].string();
  return model.path(std::to_string(model.version()) + "/" + (given.empty() ? "model.py" : given));
}

void RequireThisInterpreter(const Model& model) {
  if (!model.has_parameter("EXECUTION_ENV_PATH")) return;
  throw Unsupported(
      "model '" + model.name() +
      "': parameter EXECUTION_ENV_PATH names another Python environment, and "
      "models run in that of the server: install what the model needs there, and remove the parameter");
}

std::unique_ptr<Host> NewHost(const Model& model) {
  RequireThisInterpreter(model);
  const std::string isolation = model.parameter("isolation", "kernel");
  if (isolation == "kernel") return NewKernelHost(model, FileOf(model));
  if (isolation == "process") return NewIsolatedHost(model, FileOf(model));
  throw InvalidArgument("model '" + model.name() + "': parameter isolation is '" + isolation +
                        "'; there are \"kernel\" and \"process\"");
}

struct PythonModel {
  explicit PythonModel(Model& model) : host(NewHost(model)) {
    if (!model.may_complete()) return;
    const std::string config(model.config().text());
    const std::string completed = host->Complete(config);
    if (completed != config) model.SetConfig(completed);
  }
  std::unique_ptr<Host> host;
};

class PythonInstance {
 public:
  PythonInstance(PythonModel& model, const Instance& instance)
      : executor_(model.host->NewInstance(instance)) {}
  void Execute(Batch& batch) { executor_->Execute(batch); }
  void Released() { executor_->Released(); }

 private:
  std::unique_ptr<Executor> executor_;
};

}  // namespace
}  // namespace workbench::python_backend

WORKBENCH_BACKEND(workbench::python_backend::PythonInstance, workbench::python_backend::PythonModel)
