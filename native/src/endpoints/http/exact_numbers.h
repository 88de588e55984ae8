// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RapidJSON's parser, whose long numbers are read by the standard library. What version 1.1 does with them
// itself shifts a zero until its first bit is set, and lets exponents overflow: -0.0 of thirty digits becomes
// -Infinity. Included before all else of it, where texts are parsed.
#pragma once

#include <rapidjson/internal/strtod.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace rapidjson {
namespace internal {

// The number of `length` decimal digits, with its point after `decimal_position` of them, times ten to
// `exponent`. `rounded` and `power` are the parser's own reading of it, exact where both are small.
inline double StrtodByStandard(double rounded, int power, const char* decimals, size_t length,
                               size_t decimal_position, int exponent) {
  double exact = 0;
  if (StrtodFast(rounded, power, &exact)) return exact;
  const int64_t last = static_cast<int64_t>(decimal_position) - static_cast<int64_t>(length) + exponent;
  const std::string text = std::string(decimals, length) + 'e' + std::to_string(last);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exact);
  if (error == std::errc()) return exact;
  const size_t zeros = std::string_view(decimals, length).find_first_not_of('0');
  const bool is_huge = static_cast<int64_t>(decimal_position) - static_cast<int64_t>(zeros) + exponent > 0;
  return is_huge ? std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace internal
}  // namespace rapidjson

#define StrtodFullPrecision StrtodByStandard
#include <rapidjson/reader.h>
#undef StrtodFullPrecision
