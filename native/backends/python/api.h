// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Api: the Python classes and functions that the backend uses, looked up once. Read by any thread that holds
// the interpreter's lock; never destroyed.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <string>

#include "triton/core/tritonserver.h"

namespace workbench::python_backend {

namespace py = pybind11;

// A field of a class with __slots__: read and written where it lies.
class Slot {
 public:
  Slot() = default;
  Slot(py::handle type, const char* name);
  // Null where it was never set. The reference stays the object's.
  PyObject* Get(PyObject* object) const { return *At(object); }
  // Steals value; the object is new and has none yet.
  void Init(PyObject* object, PyObject* value) const { *At(object) = value; }

 private:
  PyObject** At(PyObject* object) const {
    return reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset_);
  }
  Py_ssize_t offset_ = 0;
};

struct Api {
  // Needs the lock. Throws py::error_already_set where workbench.python_backend cannot be imported.
  static const Api& Get();

  PyTypeObject* tensor = nullptr;
  PyTypeObject* request = nullptr;
  PyTypeObject* response = nullptr;
  PyTypeObject* error = nullptr;
  struct {
    Slot name, array, datatype;
  } tensor_slots;
  struct {
    Slot facts, handle, inputs, model_name, model_version, release_flags, sender, services;
  } request_slots;
  struct {
    Slot outputs, error, parameters;
  } response_slots;
  struct {
    Slot native;
  } sender_slots;
  struct {
    Slot code, message;
  } error_slots;

  py::object hosted_model, describe, await_answer, run_behind, enter, dense;
  py::object empty_text, release_all, any_version, bf16_name, detach;
  // By TRITONSERVER_DataType.
  std::array<py::dtype, 15> dtypes;

 private:
  Api();
};

// The numpy array of a tensor's memory. With a base it is a view that must not be written and keeps base;
// without it owns a copy. BYTES are always copied, into an array of bytes objects. Throws INVALID_ARG where
// the bytes do not fit the shape.
py::object ArrayOf(const std::string& name, TRITONSERVER_DataType type, const int64_t* shape,
                   size_t dim_count, const void* data, uint64_t byte_size, py::handle base);

// An array as it is sent. Valid while the array lives.
struct EncodedArray {
  TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
  const int64_t* shape = nullptr;
  uint32_t dim_count = 0;
  const void* data = nullptr;
  size_t byte_size = 0;
  std::string texts;  // of BYTES
  py::object dense;   // a copy of an array whose elements do not lie one after the other
};
// Throws INVALID_ARG for an array that has no data type of the protocol.
void Encode(const char* name, PyObject* array, EncodedArray* encoded);

// A new Tensor; steals array. `is_named` BF16 says so itself, since numpy may not know the type.
PyObject* NewTensor(const Api& api, PyObject* name, py::object array, TRITONSERVER_DataType type);

}  // namespace workbench::python_backend
