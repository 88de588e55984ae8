// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What entry_points.hpp declares.
#pragma once

#include "workbench/backend/entry_points.hpp"

namespace workbench::detail {

WB_INLINE void RequireInterface() {
  uint32_t major = 0, minor = 0;
  Check(TRITONBACKEND_ApiVersion(&major, &minor));
  if (major == TRITONBACKEND_API_VERSION_MAJOR && minor >= TRITONBACKEND_API_VERSION_MINOR) return;
  throw Unsupported(Join({"the backend needs interface ", Decimal(TRITONBACKEND_API_VERSION_MAJOR), ".",
                          Decimal(TRITONBACKEND_API_VERSION_MINOR), ", and the server has ", Decimal(major),
                          ".", Decimal(minor)}));
}

}  // namespace workbench::detail
