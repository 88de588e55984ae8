// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameter: a named value that travels with a request or a response.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace workbench {

// Values of TRITONSERVER_ParameterType.
enum class ParameterType : uint8_t { kString, kInt, kBool, kDouble, kBytes };

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::kString;
  std::string text;        // string
  std::string_view bytes;  // bytes, borrowed
  int64_t integer = 0;     // int
  double real = 0;         // double
  bool is_true = false;    // bool

  void Reset() {}
  // Address of the value as the C interface hands it out.
  const void* address() const {
    switch (type) {
      case ParameterType::kInt:
        return &integer;
      case ParameterType::kBool:
        return &is_true;
      case ParameterType::kDouble:
        return &real;
      case ParameterType::kBytes:
        return bytes.data();
      case ParameterType::kString:
        break;
    }
    return text.c_str();
  }
};

}  // namespace workbench
