// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Core: the core as the trial uses it, opened for all to see as the extension module opens it. Never closed.
#pragma once

#include <string>

#include "engine/bridge.h"
#include "triton/core/tritonbackend.h"

namespace workbench::preflight {

struct Core {
  const Bridge* bridge = nullptr;
  decltype(TRITONBACKEND_ApiVersion)* api_version = nullptr;
  decltype(TRITONSERVER_DataTypeString)* data_type_string = nullptr;
  decltype(TRITONSERVER_DataTypeByteSize)* data_type_byte_size = nullptr;
};

Result<Core> OpenCore(const std::string& path);

}  // namespace workbench::preflight
