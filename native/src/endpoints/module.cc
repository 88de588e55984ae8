// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The extension module of the front doors.
#include "endpoints/module.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <string>

#include "endpoints/client/python.h"
#include "endpoints/error.h"
#include "endpoints/http/server.h"
#include "endpoints/shared_memory.h"

namespace workbench {
namespace {

namespace py = pybind11;

// The code as the C interface numbers it, and the message; None where all is well.
py::object Refusal(const Status& status) {
  if (status.ok()) return py::none();
  return py::make_tuple(static_cast<int>(status.code()) - 1, status.message());
}

// Bytes of a region, which stays while Python holds them.
struct PyRegionPart {
  SharedMemoryRegion::Ref region;
  SharedMemoryRegion::Part part;
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

void ThrowIfBad(const Status& status) {
  if (status.ok()) return;
  const bool is_argument = status.code() == StatusCode::kInvalidArgument;
  if (is_argument) throw py::value_error(status.message());
  throw std::runtime_error(status.message());
}

py::object PySharedMemory::Register(const std::string& name, const std::string& key, uint64_t offset,
                                    uint64_t byte_size) {
  return Refusal(regions.Register(name, key, offset, byte_size));
}

py::object PySharedMemory::RegisterCuda(uintptr_t server, const std::string& name, const std::string& handle,
                                        int64_t device_id, uint64_t byte_size) {
  py::gil_scoped_release release;
  const Status status = regions.RegisterCuda(reinterpret_cast<TRITONSERVER_Server*>(server), name, handle,
                                             device_id, byte_size);
  py::gil_scoped_acquire acquire;
  return Refusal(status);
}

py::object PySharedMemory::Unregister(const std::string& name, bool is_cuda) {
  const SharedMemoryKind kind = is_cuda ? SharedMemoryKind::kCuda : SharedMemoryKind::kSystem;
  return Refusal(name.empty() ? regions.UnregisterAll(kind) : regions.Unregister(name, kind));
}

py::tuple PySharedMemory::Part(const std::string& name, uint64_t offset, uint64_t byte_size) const {
  Result<SharedMemoryRegion::Ref> region = regions.Find(name);
  if (!region.ok()) return py::make_tuple(py::bytes(), Refusal(region.status()));
  const Result<SharedMemoryRegion::Part> part = region.value()->PartAt(offset, byte_size);
  if (!part.ok()) return py::make_tuple(py::bytes(), Refusal(part.status()));
  if (region.value()->kind() == SharedMemoryKind::kCuda) {
    return py::make_tuple(py::bytes(),
                          Refusal(UnsupportedError("shared memory region '" + name +
                                                   "' is of a GPU, which this door does not reach")));
  }
  return py::make_tuple(PyRegionPart{region.value(), part.value()}, py::none());
}

py::tuple PySharedMemory::SystemRegions(const std::string& name) const {
  py::list rows;
  const auto found = regions.Regions(SharedMemoryKind::kSystem, name);
  if (!found.ok()) return py::make_tuple(rows, Refusal(found.status()));
  for (const auto& [key, region] : found.value())
    rows.append(py::make_tuple(key, region->key(), region->offset(), region->byte_size()));
  return py::make_tuple(rows, py::none());
}

py::tuple PySharedMemory::CudaRegions(const std::string& name) const {
  py::list rows;
  const auto found = regions.Regions(SharedMemoryKind::kCuda, name);
  if (!found.ok()) return py::make_tuple(rows, Refusal(found.status()));
  for (const auto& [key, region] : found.value())
    rows.append(py::make_tuple(key, region->device_id(), region->byte_size()));
  return py::make_tuple(rows, py::none());
}

}  // namespace workbench

PYBIND11_MODULE(_endpoints, module) {
  using namespace workbench;  // NOLINT: the module is that namespace's
  module.doc() = "The front doors of a server, and clients that send load to such doors.";
  RegisterTargets(module);
  py::class_<PySharedMemory, std::shared_ptr<PySharedMemory>>(
      module, "SharedMemory", "Regions that clients registered with one server.")
      .def(py::init<>())
      .def("register", &PySharedMemory::Register, py::arg("name"), py::arg("key"), py::arg("offset"),
           py::arg("byte_size"))
      .def("register_cuda", &PySharedMemory::RegisterCuda, py::arg("server"), py::arg("name"),
           py::arg("handle"), py::arg("device_id"), py::arg("byte_size"))
      .def("unregister", &PySharedMemory::Unregister, py::arg("name"), py::arg("is_cuda"))
      .def("part", &PySharedMemory::Part, py::arg("name"), py::arg("offset"), py::arg("byte_size"))
      .def("system_regions", &PySharedMemory::SystemRegions, py::arg("name"))
      .def("cuda_regions", &PySharedMemory::CudaRegions, py::arg("name"));
  py::class_<PyRegionPart>(module, "RegionPart", "Bytes of a region.", py::buffer_protocol())
      .def_buffer([](const PyRegionPart& self) {
        return py::buffer_info(static_cast<uint8_t*>(self.part.base),
                               static_cast<py::ssize_t>(self.part.byte_size));
      });
  py::class_<PyHttpServer>(module, "HttpServer", "Listens for HTTP.")
      .def(py::init(&Listen), py::kw_only(), py::arg("server"), py::arg("memory"), py::arg("address"),
           py::arg("port"), py::arg("loop_count"), py::arg("max_body_byte_size"), py::arg("slow_client_s"),
           py::arg("token"), py::arg("serves_inference"), py::arg("serves_metrics"), py::arg("settings"))
      .def_property_readonly("port", [](const PyHttpServer& self) { return self.server->port(); })
      .def_property_readonly("accepted_count",
                             [](const PyHttpServer& self) { return self.server->accepted_count(); })
      .def("close", &PyHttpServer::Close, py::arg("patience_s"));
  RegisterGrpc(module);
}
