// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// In place of the gRPC door where nghttp2 is missing: there is no GrpcServer, and Python serves instead.
#include "endpoints/module.h"

namespace workbench {

void RegisterGrpc(pybind11::module_&) {}

}  // namespace workbench
