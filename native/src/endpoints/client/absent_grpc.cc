// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of grpc_python.cc in a build without nghttp2.
#include "endpoints/client/python.h"

namespace workbench {

void RegisterGrpcTarget(pybind11::module_& module) {}

}  // namespace workbench
