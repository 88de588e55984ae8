// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/call.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "python/data_type.h"
#include "python/device_bytes.h"
#include "python/errors.h"

namespace workbench {
namespace {

// What calls that nobody holds any more still borrow. Guarded by the GIL; never destroyed.
struct Abandoned {
  std::shared_ptr<CallBridge> call;
  std::shared_ptr<BorrowedBuffers> buffers;
};
std::vector<Abandoned>& AbandonedCalls() {
  static auto* const calls = new std::vector<Abandoned>();
  return *calls;
}

void SweepAbandoned() {
  auto& calls = AbandonedCalls();
  calls.erase(
      std::remove_if(calls.begin(), calls.end(), [](const Abandoned& a) { return a.call->is_done(); }),
      calls.end());
}

std::unordered_map<CallBridge*, std::shared_ptr<PyCall>>& QueuedCalls() {
  static auto* const calls = new std::unordered_map<CallBridge*, std::shared_ptr<PyCall>>();
  return *calls;
}

py::object ErrorOf(const ResponseBridge& response) {
  const Status& error = response.error();
  if (error.ok()) return py::none();
  return py::make_tuple(CodeName(error.code()), error.message());
}

// Views of the response's own memory, which the arrays keep.
py::list OutputsOf(const std::shared_ptr<ResponseBridge>& response) {
  py::list outputs;
  const py::capsule owner(new std::shared_ptr<ResponseBridge>(response),
                          [](void* held) { delete static_cast<std::shared_ptr<ResponseBridge>*>(held); });
  for (const TensorOutput& output : response->outputs()) {
    py::object raw =
        output.place.type == MemoryType::kGpu
            ? py::cast(DeviceBytes{output.base, output.byte_size, output.place.id, owner})
            : py::array_t<uint8_t>(output.byte_size, static_cast<const uint8_t*>(output.base), owner);
    outputs.append(
        py::make_tuple(output.name, TypeName(output.type), py::tuple(py::cast(output.shape)), raw));
  }
  return outputs;
}

// Memory of a GPU that Python only passes on.
void Borrow(py::handle memory, TensorInput* input) {
  input->base = reinterpret_cast<const void*>(memory.attr("address").cast<uintptr_t>());
  input->byte_size = memory.attr("byte_size").cast<size_t>();
  input->place = {MemoryType::kGpu, memory.attr("device").cast<int64_t>()};
  input->stream = memory.attr("stream").cast<uint64_t>();
}

py::dict ParametersOf(const ResponseBridge& response) {
  py::dict parameters;
  for (const auto& [name, value] : response.parameters()) parameters[py::str(name)] = py::cast(value);
  return parameters;
}

py::object Take(const PyCall& self, double timeout_s) {
  std::shared_ptr<ResponseBridge> response;
  {
    py::gil_scoped_release release;
    response = self.call->Take(Nanoseconds(timeout_s));
  }
  return response ? py::cast(std::move(response)) : py::none();
}

}  // namespace

BorrowedBuffers::~BorrowedBuffers() {
  for (auto& buffer : buffers_) PyBuffer_Release(buffer.get());
}

const Py_buffer& BorrowedBuffers::Add(py::handle object) {
  auto buffer = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object.ptr(), buffer.get(), PyBUF_SIMPLE) != 0) throw py::error_already_set();
  buffers_.push_back(std::move(buffer));
  return *buffers_.back();
}

PyCall::~PyCall() {
  SweepAbandoned();
  if (call && !call->is_done()) AbandonedCalls().push_back({call, buffers});
}

void AddInputs(py::handle inputs, CallOptions* options, BorrowedBuffers* buffers) {
  for (py::handle item : inputs) {
    const auto tuple = py::reinterpret_borrow<py::tuple>(item);
    TensorInput input;
    input.name = tuple[0].cast<std::string>();
    input.type = TypeNamed(tuple[1].cast<std::string>());
    input.shape = tuple[2].cast<std::vector<int64_t>>();
    if (PyObject_CheckBuffer(tuple[3].ptr()) != 0) {
      const Py_buffer& buffer = buffers->Add(tuple[3]);
      input.base = buffer.buf;
      input.byte_size = static_cast<size_t>(buffer.len);
    } else {
      Borrow(tuple[3], &input);
      buffers->Keep(tuple[3]);
      options->has_device_inputs = true;
    }
    options->inputs.push_back(std::move(input));
  }
}

std::shared_ptr<PyCall> KeepQueued(std::shared_ptr<PyCall> call) {
  QueuedCalls()[call->call.get()] = call;
  return call;
}

std::shared_ptr<PyCall> TakeQueued(const std::shared_ptr<CallBridge>& call) {
  auto found = QueuedCalls().find(call.get());
  if (found == QueuedCalls().end()) return nullptr;
  std::shared_ptr<PyCall> taken = std::move(found->second);
  QueuedCalls().erase(found);
  return taken;
}

void RegisterCall(py::module_& module) {
  RegisterDeviceBytes(module);
  py::class_<ResponseBridge, std::shared_ptr<ResponseBridge>>(module, "Response",
                                                              "One answer of an inference.")
      .def_property_readonly("error", &ErrorOf)
      .def_property_readonly("is_final", &ResponseBridge::is_final)
      .def_property_readonly("outputs", &OutputsOf)
      .def_property_readonly("parameters", &ParametersOf);

  py::class_<PyCall, std::shared_ptr<PyCall>>(module, "Call", "One inference under way.")
      .def_property_readonly("serial", [](const PyCall& self) { return self.call->serial(); })
      .def_property_readonly("request_id", [](const PyCall& self) { return self.call->request_id(); })
      .def_property_readonly("done", [](const PyCall& self) { return self.call->is_done(); })
      .def_property_readonly("finished", [](const PyCall& self) { return self.call->is_exhausted(); })
      .def(
          "wait",
          [](const PyCall& self, double timeout_s) {
            py::gil_scoped_release release;
            return self.call->Wait(Nanoseconds(timeout_s));
          },
          py::arg("timeout_s"))
      .def("cancel", [](const PyCall& self) { self.call->Cancel(); })
      .def("take", &Take, py::arg("timeout_s"));
}

}  // namespace workbench
