// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RapidJSON's parser, with zeros that are zero. Version 1.1 shifts the significand of a number until its
// first bit is set, which a zero has not: -0.0 of thirty digits becomes -Infinity. Included before all else
// of it, where texts are parsed.
#pragma once

#include <rapidjson/internal/strtod.h>

namespace rapidjson {
namespace internal {

// `rounded` is what was read without regard to its last bits, so it is 0 where every digit is.
inline double StrtodUnlessZero(double rounded, int power, const char* decimals, size_t length,
                               size_t decimal_position, int exponent) {
  if (rounded == 0.0) return 0.0;
  return StrtodFullPrecision(rounded, power, decimals, length, decimal_position, exponent);
}

}  // namespace internal
}  // namespace rapidjson

#define StrtodFullPrecision StrtodUnlessZero
#include <rapidjson/reader.h>
#undef StrtodFullPrecision
