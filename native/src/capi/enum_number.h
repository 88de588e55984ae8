// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a caller passed for an enumeration of the interface, though it may be none of its values: to read it
// as the enumeration would be undefined then.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>

#include "base/status.h"

namespace workbench {

template <typename Enum>
std::underlying_type_t<Enum> NumberOf(const Enum& value) {
  std::underlying_type_t<Enum> number;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

// INVALID_ARGUMENT where the value is none of those from 0 to `last`; what: as in "log format".
template <typename Enum>
Status CheckEnum(const char* what, const Enum& value, Enum last) {
  const auto number = NumberOf(value);
  if (number <= NumberOf(last)) return OkStatus();
  return InvalidArgumentError(std::string("there is no ") + what + " " + std::to_string(number) +
                              "; the last is " + std::to_string(NumberOf(last)));
}

}  // namespace workbench
