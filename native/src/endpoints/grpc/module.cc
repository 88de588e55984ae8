// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The gRPC door's part of the extension module.
#include "endpoints/module.h"

#include <pybind11/pybind11.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "endpoints/grpc/server.h"

namespace workbench {
namespace {

namespace py = pybind11;

// The Python object is called with a method's name and a message; it gives a code of gRPC, a text, and a
// message.
ManagementService ServiceOf(const py::object& service) {
  return [handle = service.ptr()](const std::string& method, std::string_view message) -> GrpcAnswer {
    py::gil_scoped_acquire acquire;
    try {
      const py::object answer =
          py::reinterpret_borrow<py::object>(handle)(method, py::bytes(message.data(), message.size()));
      auto [code, text, bytes] = answer.cast<std::tuple<int, std::string, std::string>>();
      return {{static_cast<GrpcCode>(code), std::move(text)}, std::move(bytes)};
    } catch (const std::exception& error) {
      return {{GrpcCode::kInternal, error.what()}, {}};
    }
  };
}

struct PyGrpcServer {
  py::object service;
  std::shared_ptr<PySharedMemory> memory;  // goes last
  std::unique_ptr<GrpcServer> server;

  void Close(double patience_s) {
    py::gil_scoped_release release;
    server->Close(patience_s);
  }
};

std::unique_ptr<PyGrpcServer> Listen(uintptr_t server, std::shared_ptr<PySharedMemory> memory,
                                     const std::string& address, uint16_t port, unsigned loop_count,
                                     size_t max_message_byte_size, size_t max_unread_byte_size,
                                     unsigned slow_client_s, const std::string& token, int compression_level,
                                     py::object service) {
  const GrpcOptions options{
      address,       port,  loop_count,       max_message_byte_size, max_unread_byte_size,
      slow_client_s, token, compression_level};
  auto made = std::make_unique<PyGrpcServer>();
  made->memory = std::move(memory);
  made->service = std::move(service);
  GrpcServed target{reinterpret_cast<TRITONSERVER_Server*>(server), &made->memory->regions,
                    ServiceOf(made->service)};
  py::gil_scoped_release release;
  auto listening = GrpcServer::Listen(std::move(target), options);
  if (listening.ok()) made->server = std::move(listening).value();
  py::gil_scoped_acquire acquire;
  ThrowIfBad(listening.status());
  return made;
}

}  // namespace

void RegisterGrpc(py::module_& module) {
  py::class_<PyGrpcServer>(module, "GrpcServer", "Listens for gRPC.")
      .def(py::init(&Listen), py::kw_only(), py::arg("server"), py::arg("memory"), py::arg("address"),
           py::arg("port"), py::arg("loop_count"), py::arg("max_message_byte_size"),
           py::arg("max_unread_byte_size"), py::arg("slow_client_s"), py::arg("token"),
           py::arg("compression_level"), py::arg("service"))
      .def_property_readonly("port", [](const PyGrpcServer& self) { return self.server->port(); })
      .def_property_readonly("accepted_count",
                             [](const PyGrpcServer& self) { return self.server->accepted_count(); })
      .def("close", &PyGrpcServer::Close, py::arg("patience_s"));
}

}  // namespace workbench
