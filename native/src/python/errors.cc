// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/errors.h"

#include <array>
#include <string>

#include "python/module.h"

namespace workbench {
namespace {

constexpr std::array<const char*, 9> kNames = {"OK",          "UNKNOWN",        "INTERNAL",
                                               "NOT_FOUND",   "INVALID_ARG",    "UNAVAILABLE",
                                               "UNSUPPORTED", "ALREADY_EXISTS", "CANCELLED"};

// Never destroyed: an exception may be made while the interpreter ends.
py::object* status_error = nullptr;

}  // namespace

const char* CodeName(StatusCode code) { return kNames[static_cast<size_t>(code)]; }

StatusCode CodeNamed(const std::string& name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<StatusCode>(i);
  }
  return StatusCode::kUnknown;
}

void ThrowIfError(const Status& status) {
  if (status.ok()) return;
  py::object error = (*status_error)(status.message());
  error.attr("code") = CodeName(status.code());
  PyErr_SetObject(status_error->ptr(), error.ptr());
  throw py::error_already_set();
}

void RegisterErrors(py::module_& module) {
  status_error = new py::object(py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(
      "workbench._native.StatusError", "An operation of the core failed; `code` says how.",
      PyExc_RuntimeError, nullptr)));
  module.attr("StatusError") = *status_error;
}

}  // namespace workbench
