// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Element types: the numbers that ONNX gives them beside the protocol's.
#pragma once

#include <cstddef>

#include "triton/core/tritonserver.h"

namespace ort {

constexpr int kString = 8;

// INVALID for types that the protocol has not.
TRITONSERVER_DataType DataTypeOf(int element_type);
// 0 for types that ONNX has not.
int ElementTypeOf(TRITONSERVER_DataType type);
// The name in a configuration, such as "TYPE_FP32".
const char* ConfigNameOf(TRITONSERVER_DataType type);
TRITONSERVER_DataType DataTypeOfConfig(const char* name);

}  // namespace ort
