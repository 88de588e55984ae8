// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The extension module of the front doors.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <string>

#include "endpoints/http/server.h"
#include "endpoints/shared_memory.h"

namespace workbench {
namespace {

namespace py = pybind11;

// The code's name goes first: the Python side makes its own error of it.
void ThrowIfBad(const Status& status) {
  if (status.ok()) return;
  const bool is_argument = status.code() == StatusCode::kInvalidArgument;
  if (is_argument) throw py::value_error(status.message());
  throw std::runtime_error(status.message());
}

struct PySharedMemory {
  SharedMemory regions;
};

// The Python object is called with a topic, a model and a text or None; it gives an HTTP status and a text.
SettingsService ServiceOf(const py::object& settings) {
  return [handle = settings.ptr()](const std::string& topic, const std::string& model,
                                   const std::optional<std::string>& body) {
    py::gil_scoped_acquire acquire;
    try {
      const py::object answer = py::reinterpret_borrow<py::object>(handle)(topic, model, body);
      const auto [status, text] = answer.cast<std::pair<int, std::string>>();
      HttpReply reply = JsonReply(text);
      reply.status = status;
      return reply;
    } catch (const std::exception& error) {
      return ErrorReply(InternalError(error.what()));
    }
  };
}

struct PyHttpServer {
  py::object settings;
  std::shared_ptr<PySharedMemory> memory;  // goes last
  std::unique_ptr<HttpServer> server;

  void Close(double patience_s) {
    py::gil_scoped_release release;
    server->Close(patience_s);
  }
};

std::unique_ptr<PyHttpServer> Listen(uintptr_t server, std::shared_ptr<PySharedMemory> memory,
                                     const std::string& address, uint16_t port, unsigned loop_count,
                                     size_t max_body_byte_size, unsigned slow_client_s,
                                     const std::string& token, bool serves_inference, bool serves_metrics,
                                     py::object settings) {
  const HttpOptions options{address,       port,  loop_count,       max_body_byte_size,
                            slow_client_s, token, serves_inference, serves_metrics};
  auto made = std::make_unique<PyHttpServer>();
  made->memory = std::move(memory);
  made->settings = std::move(settings);
  ManagedServer managed{reinterpret_cast<TRITONSERVER_Server*>(server), &made->memory->regions,
                        ServiceOf(made->settings)};
  py::gil_scoped_release release;
  auto listening = HttpServer::Listen(std::move(managed), options);
  if (listening.ok()) made->server = std::move(listening).value();
  py::gil_scoped_acquire acquire;
  ThrowIfBad(listening.status());
  return made;
}

}  // namespace
}  // namespace workbench

PYBIND11_MODULE(_endpoints, module) {
  using namespace workbench;  // NOLINT: the module is that namespace's
  module.doc() = "The front doors of a server.";
  py::class_<PySharedMemory, std::shared_ptr<PySharedMemory>>(
      module, "SharedMemory", "Regions that clients registered with one server.")
      .def(py::init<>());
  py::class_<PyHttpServer>(module, "HttpServer", "Listens for HTTP.")
      .def(py::init(&Listen), py::kw_only(), py::arg("server"), py::arg("memory"), py::arg("address"),
           py::arg("port"), py::arg("loop_count"), py::arg("max_body_byte_size"), py::arg("slow_client_s"),
           py::arg("token"), py::arg("serves_inference"), py::arg("serves_metrics"), py::arg("settings"))
      .def_property_readonly("port", [](const PyHttpServer& self) { return self.server->port(); })
      .def("close", &PyHttpServer::Close, py::arg("patience_s"));
}
