// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of requests and responses, as the C interface and as Python have them. REQUIRES everywhere: the
// interpreter's lock.
#pragma once

#include <string>
#include <utility>

#include "api.h"

namespace workbench::python_backend {

// None for a type that Python has nothing for.
inline py::object ParameterOf(TRITONSERVER_ParameterType type, const void* value) {
  switch (type) {
    case TRITONSERVER_PARAMETER_STRING:
      return py::str(static_cast<const char*>(value));
    case TRITONSERVER_PARAMETER_INT:
      return py::int_(*static_cast<const int64_t*>(value));
    case TRITONSERVER_PARAMETER_BOOL:
      return py::bool_(*static_cast<const bool*>(value));
    case TRITONSERVER_PARAMETER_DOUBLE:
      return py::float_(*static_cast<const double*>(value));
    default:
      return py::none();
  }
}

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
