// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a model answers, as its configuration declares it and as Python hands it over.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "api.h"
#include "workbench/backend.hpp"

namespace workbench::python_backend {

class DeclaredOutputs {
 public:
  explicit DeclaredOutputs(const Model& model);
  // Throws INVALID_ARG where the output has another type. False: there is no such output.
  bool Check(const char* name, TRITONSERVER_DataType type) const;
  std::string names() const;
  size_t size() const { return outputs_.size(); }

 private:
  std::vector<std::pair<std::string, TRITONSERVER_DataType>> outputs_;
};

// Memory for an output; null: nobody wants it.
using AllocateOutput =
    std::function<void*(const char* name, TRITONSERVER_DataType type, Shape shape, size_t byte_size)>;
// Writes tensors (a list of Tensor). REQUIRES: the interpreter's lock. Throws INVALID_ARG for what is no
// output of the model.
void WriteOutputs(PyObject* tensors, const DeclaredOutputs& declared, const AllocateOutput& allocate);

// Calls set(name, value) for each parameter of a dict; value is std::string, int64_t, bool or double.
template <typename Set>
void ForEachParameter(const py::object& parameters, Set&& set) {
  if (parameters.is_none()) return;
  const auto values = py::reinterpret_borrow<py::dict>(parameters);
  for (const std::pair<py::handle, py::handle> item : values) {
    const py::handle key = item.first, value = item.second;
    const std::string name = key.cast<std::string>();
    if (PyBool_Check(value.ptr())) {
      set(name.c_str(), value.cast<bool>());
    } else if (PyLong_Check(value.ptr())) {
      set(name.c_str(), value.cast<int64_t>());
    } else if (PyFloat_Check(value.ptr())) {
      set(name.c_str(), value.cast<double>());
    } else {
      set(name.c_str(), value.cast<std::string>());
    }
  }
}

}  // namespace workbench::python_backend
