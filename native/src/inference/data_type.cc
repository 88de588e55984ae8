// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/data_type.h"

#include <array>

namespace workbench {
namespace {

struct Row {
  const char* name;
  size_t byte_size;
};

constexpr std::array<Row, 15> kRows{{{"<invalid>", 0},
                                     {"BOOL", 1},
                                     {"UINT8", 1},
                                     {"UINT16", 2},
                                     {"UINT32", 4},
                                     {"UINT64", 8},
                                     {"INT8", 1},
                                     {"INT16", 2},
                                     {"INT32", 4},
                                     {"INT64", 8},
                                     {"FP16", 2},
                                     {"FP32", 4},
                                     {"FP64", 8},
                                     {"BYTES", 0},
                                     {"BF16", 2}}};

const Row& RowOf(DataType type) {
  const auto index = static_cast<size_t>(type);
  return kRows[index < kRows.size() ? index : 0];
}

}  // namespace

size_t ByteSizeOf(DataType type) { return RowOf(type).byte_size; }

const char* NameOf(DataType type) { return RowOf(type).name; }

DataType DataTypeNamed(std::string_view name) {
  for (size_t i = 1; i < kRows.size(); ++i) {
    if (name == kRows[i].name) return static_cast<DataType>(i);
  }
  return DataType::kInvalid;
}

}  // namespace workbench
