// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's lock, and what its exceptions become.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "workbench/backend.hpp"

namespace workbench::python_backend {

namespace py = pybind11;

// Holds the interpreter's lock; may be nested. Any thread, of Python or not.
class Gil {
 public:
  Gil() : state_(PyGILState_Ensure()) {}
  ~Gil() { PyGILState_Release(state_); }
  Gil(const Gil&) = delete;
  Gil& operator=(const Gil&) = delete;

 private:
  PyGILState_STATE state_;
};

// Lets other threads of Python run. REQUIRES: the lock.
class NoGil {
 public:
  NoGil() : state_(PyEval_SaveThread()) {}
  ~NoGil() { PyEval_RestoreThread(state_); }
  NoGil(const NoGil&) = delete;
  NoGil& operator=(const NoGil&) = delete;

 private:
  PyThreadState* state_;
};

// What Python keeps of a native thread: made when the thread first runs Python, and kept, so that what models
// bind to threads lasts. Deleted by whoever ends the thread.
class ThreadState {
 public:
  // On the thread itself.
  void Keep();
  // REQUIRES: the lock; the thread has ended, or will run no more Python.
  void Drop();
  bool is_kept() const { return state_ != nullptr; }

 private:
  PyThreadState* state_ = nullptr;
};

// The error of a Python exception: its code, and the line of the model where it was raised. REQUIRES: the
// lock.
Error ErrorOf(py::error_already_set& raised, const std::string& stage);

// Runs body with the lock; what Python raises is thrown as an Error that names the stage.
template <typename Body>
auto InPython(const std::string& stage, Body&& body) {
  const Gil gil;
  try {
    return body();
  } catch (py::error_already_set& raised) {
    throw ErrorOf(raised, stage);
  }
}

}  // namespace workbench::python_backend
