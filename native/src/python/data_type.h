// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of data types, asked of the core by its C interface: the extension module holds no floor of its own.
#pragma once

#include <string>

#include "inference/data_type.h"
#include "triton/core/tritonserver.h"

namespace workbench {

inline const char* TypeName(DataType type) {
  return TRITONSERVER_DataTypeString(static_cast<TRITONSERVER_DataType>(type));
}

inline DataType TypeNamed(const std::string& name) {
  return static_cast<DataType>(TRITONSERVER_StringToDataType(name.c_str()));
}

}  // namespace workbench
