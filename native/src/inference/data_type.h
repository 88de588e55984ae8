// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DataType: the element types of tensors; values of TRITONSERVER_DataType.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace workbench {

enum class DataType : uint8_t {
  kInvalid,
  kBool,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFp16,
  kFp32,
  kFp64,
  kBytes,
  kBf16,
};

// Bytes of one element; 0 for BYTES, whose elements differ, and for the invalid type.
size_t ByteSizeOf(DataType type);
// "FP32" and so on; "<invalid>" for the invalid type.
const char* NameOf(DataType type);
// The type of that name, or kInvalid.
DataType DataTypeNamed(std::string_view name);

}  // namespace workbench
