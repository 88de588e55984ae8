// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "endpoints/client/grpc_target.h"
#include "endpoints/client/python.h"

namespace workbench {
namespace {

namespace py = pybind11;

py::capsule NewGrpcTarget(const std::string& host, const std::string& port, const std::string& authority,
                          const std::string& token, const std::vector<py::bytes>& messages,
                          const py::bytes& plan, uint32_t connections) {
  const GrpcTargetOptions options{host, port, {authority, token}, connections};
  return NewTarget<GrpcTarget>(options, std::vector<std::string>(messages.begin(), messages.end()), plan);
}

}  // namespace

void RegisterGrpcTarget(py::module_& module) {
  module.def("grpc_target", &NewGrpcTarget, "A server that load is sent to over gRPC.", py::kw_only(),
             py::arg("host"), py::arg("port"), py::arg("authority"), py::arg("token"), py::arg("messages"),
             py::arg("plan"), py::arg("connections"));
}

}  // namespace workbench
