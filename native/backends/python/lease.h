// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Lease: what the arrays that view a request's inputs hold. A request whose arrays outlive its execution is
// released when the last of them is gone, so that they never read memory that is another's by then.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>

#include "triton/core/tritonbackend.h"

namespace workbench::python_backend {

class Lease {
 public:
  // A lease and the object that arrays hold as their base. REQUIRES: the interpreter's lock.
  static Lease* New(pybind11::object* base);
  // Whether no array is left; the lease is gone then. REQUIRES: the interpreter's lock.
  static bool EndIfUnused(Lease* lease);
  // The lease releases the request from here on: now, or when its last array goes. Any thread.
  void HandOver(TRITONBACKEND_Request* request);

 private:
  enum class State { kExecuting, kUnused, kHandedOver };
  static void OnUnused(PyObject* capsule);
  void Release() const;

  std::atomic<State> state_ = State::kExecuting;
  TRITONBACKEND_Request* request_ = nullptr;
};

}  // namespace workbench::python_backend
