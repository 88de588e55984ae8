// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/size_class.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

TEST(SizeClassTest, GivesTheSmallestClassThatHoldsTheSize) {
  for (size_t byte_size = 0; byte_size <= SizeClass::kLargest; byte_size += byte_size < 5000 ? 1 : 61) {
    const size_t index = SizeClass::IndexOf(byte_size);
    ASSERT_LT(index, SizeClass::kCount);
    ASSERT_GE(SizeClass::ByteSize(index), byte_size);
    if (index > 0) {
      ASSERT_LT(SizeClass::ByteSize(index - 1), byte_size);
    }
  }
}

TEST(SizeClassTest, WastesAtMostAFifthOfALargerBlock) {
  for (size_t byte_size = 257; byte_size <= SizeClass::kLargest; byte_size += 61) {
    const size_t block = SizeClass::ByteSize(SizeClass::IndexOf(byte_size));
    ASSERT_LE(block - byte_size, block / 5);
  }
}

TEST(SizeClassTest, KeepsEveryBlockOnItsGrain) {
  for (size_t index = 0; index < SizeClass::kCount; ++index) {
    EXPECT_EQ(SizeClass::ByteSize(index) % SizeClass::kSmallest, 0u);
  }
}

}  // namespace
}  // namespace workbench
