// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SizeClass: the sizes that small blocks are rounded up to, four to each power of two, so that at most a
// fifth of a block larger than 256 bytes is wasted and a freed block fits the next request of about its size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace workbench {

class SizeClass {
 public:
  static constexpr size_t kSmallest = 64;
  static constexpr size_t kLargest = size_t{64} << 10;
  static constexpr size_t kCount = 36;

  // REQUIRES: byte_size <= kLargest.
  static constexpr size_t IndexOf(size_t byte_size) {
    if (byte_size <= kLinear) return byte_size == 0 ? 0 : (byte_size - 1) / kSmallest;
    const int exponent = 63 - __builtin_clzll(byte_size - 1);  // 2^exponent < byte_size <= 2^(exponent + 1)
    const size_t quarter = ((byte_size - 1) >> (exponent - 2)) & 3;
    return 4 + static_cast<size_t>(exponent - kLinearExponent) * 4 + quarter;
  }
  static constexpr size_t ByteSize(size_t index) {
    if (index < 4) return (index + 1) * kSmallest;
    const size_t exponent = kLinearExponent + (index - 4) / 4;
    return (size_t{1} << exponent) + ((index - 4) % 4 + 1) * (size_t{1} << (exponent - 2));
  }

 private:
  static constexpr size_t kLinear = 4 * kSmallest;
  static constexpr int kLinearExponent = 8;
};
static_assert(SizeClass::ByteSize(SizeClass::kCount - 1) == SizeClass::kLargest);
static_assert(SizeClass::IndexOf(SizeClass::kLargest) == SizeClass::kCount - 1);

}  // namespace workbench
