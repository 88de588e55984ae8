// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What span.hpp declares.
#pragma once

#include "workbench/backend/span.hpp"

namespace workbench {

WB_INLINE std::string ToString(Shape shape) {
  std::string text = "[";
  for (int64_t dim : shape) text += detail::Join({text.size() > 1 ? ", " : "", detail::Decimal(dim)});
  text += "]";
  return text;
}

}  // namespace workbench
