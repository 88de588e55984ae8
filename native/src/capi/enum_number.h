// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a caller passed for an enumeration of the interface, though it may be none of its values: to read it
// as the enumeration would be undefined then.
#pragma once

#include <cstring>
#include <type_traits>

namespace workbench {

template <typename Enum>
std::underlying_type_t<Enum> NumberOf(const Enum& value) {
  std::underlying_type_t<Enum> number;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

}  // namespace workbench
