// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "tensor_type.h"

#include <cstring>

namespace ort {
namespace {

struct Row {
  int element_type;
  TRITONSERVER_DataType data_type;
  const char* config_name;
};

constexpr Row kRows[] = {
    {1, TRITONSERVER_TYPE_FP32, "TYPE_FP32"},      {2, TRITONSERVER_TYPE_UINT8, "TYPE_UINT8"},
    {3, TRITONSERVER_TYPE_INT8, "TYPE_INT8"},      {4, TRITONSERVER_TYPE_UINT16, "TYPE_UINT16"},
    {5, TRITONSERVER_TYPE_INT16, "TYPE_INT16"},    {6, TRITONSERVER_TYPE_INT32, "TYPE_INT32"},
    {7, TRITONSERVER_TYPE_INT64, "TYPE_INT64"},    {kString, TRITONSERVER_TYPE_BYTES, "TYPE_STRING"},
    {9, TRITONSERVER_TYPE_BOOL, "TYPE_BOOL"},      {10, TRITONSERVER_TYPE_FP16, "TYPE_FP16"},
    {11, TRITONSERVER_TYPE_FP64, "TYPE_FP64"},     {12, TRITONSERVER_TYPE_UINT32, "TYPE_UINT32"},
    {13, TRITONSERVER_TYPE_UINT64, "TYPE_UINT64"}, {16, TRITONSERVER_TYPE_BF16, "TYPE_BF16"},
};

}  // namespace

TRITONSERVER_DataType DataTypeOf(int element_type) {
  for (const Row& row : kRows) {
    if (row.element_type == element_type) return row.data_type;
  }
  return TRITONSERVER_TYPE_INVALID;
}

int ElementTypeOf(TRITONSERVER_DataType type) {
  for (const Row& row : kRows) {
    if (row.data_type == type) return row.element_type;
  }
  return 0;
}

const char* ConfigNameOf(TRITONSERVER_DataType type) {
  for (const Row& row : kRows) {
    if (row.data_type == type) return row.config_name;
  }
  return "TYPE_INVALID";
}

TRITONSERVER_DataType DataTypeOfConfig(const char* name) {
  for (const Row& row : kRows) {
    if (std::strcmp(row.config_name, name) == 0) return row.data_type;
  }
  return TRITONSERVER_TYPE_INVALID;
}

}  // namespace ort
