// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "lease.h"

#include "interpreter.h"

namespace workbench::python_backend {

Lease* Lease::New(pybind11::object* base) {
  auto* const lease = new Lease();
  *base = pybind11::reinterpret_steal<pybind11::object>(PyCapsule_New(lease, nullptr, &Lease::OnUnused));
  if (*base) return lease;
  delete lease;
  throw pybind11::error_already_set();
}

bool Lease::EndIfUnused(Lease* lease) {
  if (lease->state_.load(std::memory_order_acquire) != State::kUnused) return false;
  delete lease;
  return true;
}

void Lease::HandOver(TRITONBACKEND_Request* request) {
  request_ = request;
  if (state_.exchange(State::kHandedOver, std::memory_order_acq_rel) != State::kUnused) return;
  Release();
  delete this;
}

void Lease::OnUnused(PyObject* capsule) {
  auto* const lease = static_cast<Lease*>(PyCapsule_GetPointer(capsule, nullptr));
  if (lease->state_.exchange(State::kUnused, std::memory_order_acq_rel) != State::kHandedOver) return;
  {
    const NoGil no_gil;
    lease->Release();
  }
  delete lease;
}

void Lease::Release() const {
  detail::LogFailure(TRITONBACKEND_RequestRelease(request_, TRITONSERVER_REQUEST_RELEASE_ALL),
                     "releasing a request");
}

}  // namespace workbench::python_backend
