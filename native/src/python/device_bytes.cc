// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/device_bytes.h"

#include <pybind11/stl.h>

#include <memory>
#include <vector>

namespace workbench {
namespace {

// DLPack's managed tensor, as its consumers expect it.
struct DlDevice {
  int32_t type;
  int32_t id;
};
struct DlDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
struct DlTensor {
  void* data;
  DlDevice device;
  int32_t rank;
  DlDataType type;
  int64_t* shape;
  int64_t* strides;  // null: rows one after the other
  uint64_t byte_offset;
};
struct DlManagedTensor {
  DlTensor tensor;
  void* context;
  void (*deleter)(DlManagedTensor* self);
};
constexpr int32_t kDlCuda = 2;
constexpr const char* kFresh = "dltensor";  // a consumer that takes the tensor renames the capsule

struct Held {
  DlManagedTensor managed;
  std::vector<int64_t> shape;
  py::object owner;
};

// Called by whoever took the tensor, on any thread.
void Delete(DlManagedTensor* managed) {
  if (Py_IsInitialized() == 0) return;  // the process ends, and the memory with it
  const py::gil_scoped_acquire gil;
  delete static_cast<Held*>(managed->context);
}

void DeleteUntaken(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kFresh) == 0) return;
  Delete(static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule, kFresh)));
}

py::object ToDlpack(const DeviceBytes& self, std::vector<int64_t> shape, uint8_t code, uint8_t bits) {
  auto held = std::make_unique<Held>();
  held->shape = std::move(shape);
  held->owner = self.owner;
  held->managed.tensor = {const_cast<void*>(self.base),
                          {kDlCuda, static_cast<int32_t>(self.device)},
                          static_cast<int32_t>(held->shape.size()),
                          {code, bits, 1},
                          held->shape.data(),
                          nullptr,
                          0};
  held->managed.context = held.get();
  held->managed.deleter = &Delete;
  PyObject* const capsule = PyCapsule_New(&held->managed, kFresh, &DeleteUntaken);
  if (capsule == nullptr) throw py::error_already_set();
  static_cast<void>(held.release());  // the capsule's, or its taker's
  return py::reinterpret_steal<py::object>(capsule);
}

}  // namespace

void RegisterDeviceBytes(py::module_& module) {
  py::class_<DeviceBytes>(module, "DeviceBytes", "Memory of a GPU that an answer holds.")
      .def_property_readonly("address",
                             [](const DeviceBytes& self) { return reinterpret_cast<uintptr_t>(self.base); })
      .def_readonly("byte_size", &DeviceBytes::byte_size)
      .def_readonly("device", &DeviceBytes::device)
      .def_property_readonly("stream", [](const DeviceBytes&) { return 0; })
      .def("dlpack", &ToDlpack, py::arg("shape"), py::arg("code"), py::arg("bits"));
}

}  // namespace workbench
