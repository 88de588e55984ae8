// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/python.h"

#include <pybind11/stl.h>

#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "endpoints/client/http_target.h"
#include "load/target_handover.h"

namespace workbench {
namespace {

namespace py = pybind11;

// Fields, JSON, parameters and tensors of each.
using Samples = std::vector<std::tuple<std::string, std::string, std::string, py::bytes>>;

std::vector<HttpSample> SamplesOf(const Samples& samples) {
  std::vector<HttpSample> made;
  made.reserve(samples.size());
  for (const auto& [fields, json, parameters, tensors] : samples) {
    made.push_back({fields, json, parameters, std::string(tensors)});
  }
  return made;
}

py::capsule NewHttpTarget(const std::string& host, const std::string& port, const Samples& samples,
                          const py::bytes& plan, uint32_t connections, uint32_t connection_limit) {
  const HttpTargetOptions options{host, port, connections, connection_limit};
  return NewTarget<HttpTarget>(options, SamplesOf(samples), plan);
}

}  // namespace

py::capsule Handover(Result<std::unique_ptr<Target>> target) {
  if (!target.ok()) throw std::runtime_error(target.status().message());
  auto* const handover = new TargetHandover();
  handover->target = std::move(target).value();
  return py::capsule(handover, kTargetCapsule, [](PyObject* capsule) {
    py::gil_scoped_release release;
    delete static_cast<TargetHandover*>(PyCapsule_GetPointer(capsule, kTargetCapsule));
  });
}

std::vector<PlannedRequest> StepsOf(const std::string& plan) {
  std::vector<PlannedRequest> steps(plan.size() / sizeof(PlannedRequest));
  std::memcpy(steps.data(), plan.data(), steps.size() * sizeof(PlannedRequest));
  return steps;
}

void RegisterTargets(py::module_& module) {
  module.def("http_target", &NewHttpTarget, "A server that load is sent to over HTTP.", py::kw_only(),
             py::arg("host"), py::arg("port"), py::arg("samples"), py::arg("plan"), py::arg("connections"),
             py::arg("connection_limit"));
  RegisterGrpcTarget(module);
}

}  // namespace workbench
