// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Alignment: the little arithmetic that every resource needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"

namespace workbench {

constexpr bool IsPowerOfTwo(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

// REQUIRES: alignment is a power of two.
constexpr uintptr_t AlignUp(uintptr_t value, size_t alignment) {
  return (value + alignment - 1) & ~static_cast<uintptr_t>(alignment - 1);
}

inline Status CheckAlignment(size_t alignment) {
  if (IsPowerOfTwo(alignment)) return OkStatus();
  return InvalidArgumentError("an alignment of " + std::to_string(alignment) + " bytes is no power of two");
}

}  // namespace workbench
