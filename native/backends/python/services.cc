// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "services.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "inference.h"
#include "interpreter.h"
#include "metrics.h"
#include "requests.h"

namespace workbench::python_backend {
namespace {

TRITONBACKEND_Request* RequestAt(uintptr_t handle) {
  return reinterpret_cast<TRITONBACKEND_Request*>(handle);
}

bool IsCancelled(const Services&, uintptr_t handle) {
  bool is_cancelled = false;
  Check(TRITONBACKEND_RequestIsCancelled(RequestAt(handle), &is_cancelled));
  return is_cancelled;
}

std::unique_ptr<Answers> Infer(const Services& self, const std::string& model, int64_t version,
                               const py::tuple& facts, const py::sequence& inputs, bool decoupled) {
  return Answers::Ask(self.server(), {model, version, decoupled}, facts, inputs);
}

void WriteLog(const Services&, int level, const std::string& message, const std::string& file, int line) {
  const NoGil no_gil;
  Log(static_cast<TRITONSERVER_LogLevel>(level), message, file.c_str(), line);
}

struct DeleteParameter {
  void operator()(TRITONSERVER_Parameter* parameter) const { TRITONSERVER_ParameterDelete(parameter); }
};

// The control plane is Python's: it needs the lock that this gives up.
void LoadModel(const Services& self, const std::string& name, const std::map<std::string, std::string>& files,
               const std::string& config) {
  TRITONSERVER_Server* const server = self.server();
  const NoGil no_gil;
  std::vector<std::unique_ptr<TRITONSERVER_Parameter, DeleteParameter>> owned;
  if (!config.empty()) {
    owned.emplace_back(TRITONSERVER_ParameterNew("config", TRITONSERVER_PARAMETER_STRING, config.c_str()));
  }
  for (const auto& [file, content] : files) {
    owned.emplace_back(TRITONSERVER_ParameterBytesNew(file.c_str(), content.data(), content.size()));
  }
  std::vector<const TRITONSERVER_Parameter*> parameters;
  for (const auto& parameter : owned) parameters.push_back(parameter.get());
  Check(
      TRITONSERVER_ServerLoadModelWithParameters(server, name.c_str(), parameters.data(), parameters.size()));
}

void UnloadModel(const Services& self, const std::string& name, bool dependents) {
  TRITONSERVER_Server* const server = self.server();
  const NoGil no_gil;
  Check(dependents ? TRITONSERVER_ServerUnloadModelAndDependents(server, name.c_str())
                   : TRITONSERVER_ServerUnloadModel(server, name.c_str()));
}

bool IsModelReady(const Services& self, const std::string& name, int64_t version) {
  TRITONSERVER_Server* const server = self.server();
  const NoGil no_gil;
  bool is_ready = false;
  TRITONSERVER_Error* const unknown =
      TRITONSERVER_ServerModelIsReady(server, name.c_str(), version, &is_ready);
  if (unknown == nullptr) return is_ready;
  TRITONSERVER_ErrorDelete(unknown);
  return false;
}

void Translate(std::exception_ptr thrown) {
  if (!thrown) return;
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const py::object type =
        py::module_::import("workbench.python_backend.exceptions").attr("TritonModelException");
    PyErr_SetString(type.ptr(), error.what());
  }
}

void RegisterClasses(py::module_& module) {
  py::class_<Answers>(module, "Answers", py::module_local())
      .def("take", &Answers::Take)
      .def("cancel", &Answers::Cancel);
  py::class_<Sender>(module, "Sender", py::module_local())
      .def("send", &Sender::Send, py::arg("outputs"), py::arg("error"), py::arg("parameters"),
           py::arg("flags"))
      .def("is_cancelled", &Sender::is_cancelled)
      .def_property_readonly("is_finished", &Sender::is_finished);
  py::class_<Services, std::shared_ptr<Services>>(module, "Services", py::module_local())
      .def("describe", [](const Services&, uintptr_t handle) { return DescribeRequest(RequestAt(handle)); })
      .def("is_cancelled", &IsCancelled)
      .def("new_sender",
           [](const Services& self, uintptr_t handle) { return self.NewSender(RequestAt(handle)); })
      .def("infer", &Infer, py::arg("model"), py::arg("version"), py::arg("facts"), py::arg("inputs"),
           py::arg("decoupled"))
      .def("log", &WriteLog)
      .def("family", [](const Services&, const std::string& name, const std::string& description,
                        int kind) { return MetricFamily::New(name, description, kind); })
      .def("load_model", &LoadModel)
      .def("unload_model", &UnloadModel, py::arg("name"), py::arg("dependents"))
      .def("is_model_ready", &IsModelReady);
}

}  // namespace

Services::Services(const Model& model) {
  Declare(model);
  Check(TRITONBACKEND_ModelServer(model.handle(), &server_));
}

void Services::Declare(const Model& model) {
  declared_ = std::make_shared<DeclaredOutputs>(model);
  is_decoupled_ = model.config()["model_transaction_policy"]["decoupled"].boolean();
}

void Services::Leave(const Instance& instance) {
  instances_.erase(std::remove(instances_.begin(), instances_.end(), instance.handle()), instances_.end());
}

// Responses are counted by model: any of its instances may tell of them.
std::unique_ptr<Sender> Services::NewSender(TRITONBACKEND_Request* request) const {
  const bool is_counted = is_decoupled_ && !instances_.empty();
  return std::make_unique<Sender>(request, declared_, is_counted ? instances_.front() : nullptr);
}

TRITONSERVER_Server* Services::server() const {
  if (server_ != nullptr) return server_;
  throw Error(TRITONSERVER_ERROR_UNAVAILABLE, "the model that asks is unloaded");
}

py::dict ArgumentsOf(const Instance& instance) {
  const Model& model = instance.model();
  py::dict arguments;
  arguments["model_config"] = std::string(model.config().text());
  arguments["model_instance_kind"] = TRITONSERVER_InstanceGroupKindString(instance.kind());
  arguments["model_instance_name"] = instance.name();
  arguments["model_instance_device_id"] = std::to_string(instance.device_id());
  arguments["model_repository"] = model.folder();
  arguments["model_version"] = std::to_string(model.version());
  arguments["model_name"] = model.name();
  return arguments;
}

void RegisterServices() {
  static bool is_registered = false;
  if (is_registered) return;
  is_registered = true;
  auto module = py::module_::create_extension_module("workbench.python_backend._kernel", "A model's server.",
                                                     new py::module_::module_def());
  py::register_local_exception_translator(&Translate);
  RegisterClasses(module);
  RegisterMetrics(module);
  static_cast<void>(module.release());  // for as long as the process lives
}

}  // namespace workbench::python_backend
