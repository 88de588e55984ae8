// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests as Python objects. REQUIRES everywhere: the interpreter's lock.
#pragma once

#include <string>

#include "api.h"
#include "device_reader.h"
#include "lease.h"
#include "workbench/backend.hpp"

namespace workbench::python_backend {

// An object of a request, and the lease of its views; null where it has none.
struct RequestObject {
  py::object object;
  Lease* lease = nullptr;
  uint64_t copied_byte_size = 0;  // of its inputs, from host to host
};

struct RequestOptions {
  py::object services;
  py::object model_name;
  bool has_views = false;    // large inputs are read where they lie
  bool is_writable = false;  // inputs may be written; they are copies then
};

// Reads the inputs. Throws an Error where one cannot be read.
RequestObject NewRequest(Request& request, const RequestOptions& options, DeviceReader* reader);

// The fields of services.Facts, and what the C interface knows of them.
py::tuple DescribeRequest(TRITONBACKEND_Request* request);

}  // namespace workbench::python_backend
