// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace workbench {
namespace {

std::vector<uint32_t> FieldsOf(std::string_view bytes, bool* is_ok) {
  std::vector<uint32_t> fields;
  WireReader reader(bytes);
  while (reader.Next()) fields.push_back(reader.field());
  *is_ok = reader.ok();
  return fields;
}

bool IsWellFormed(std::string_view bytes) {
  bool is_ok = false;
  FieldsOf(bytes, &is_ok);
  return is_ok;
}

TEST(WireTest, ReadsTheNumbersThatItWrites) {
  for (const uint64_t value :
       {uint64_t{0}, uint64_t{1}, uint64_t{127}, uint64_t{128}, uint64_t{300}, UINT64_MAX}) {
    std::string bytes;
    AppendVarint(value, &bytes);
    EXPECT_EQ(bytes.size(), VarintSize(value));
    std::string_view left(bytes);
    uint64_t read = 0;
    ASSERT_TRUE(TakeVarint(&left, &read));
    EXPECT_EQ(read, value);
    EXPECT_TRUE(left.empty());
  }
}

TEST(WireTest, RefusesNumbersWithoutAnEnd) {
  uint64_t value = 0;
  for (const size_t length : {1, 9, 10, 11, 100}) {
    const std::string bytes(length, '\xff');
    std::string_view left(bytes);
    EXPECT_FALSE(TakeVarint(&left, &value)) << length;
  }
}

TEST(WireTest, SkipsGroupsOfAnyDepthThatOthersTakeToo) {
  std::string bytes;
  AppendNumber(1, 7, &bytes);
  for (int depth = 0; depth < 100; ++depth) AppendTag(9, WireType::kGroup, &bytes);
  AppendBytes(3, "within", &bytes);
  for (int depth = 0; depth < 100; ++depth) AppendTag(9, WireType::kGroupEnd, &bytes);
  AppendNumber(2, 8, &bytes);
  bool is_ok = false;
  EXPECT_THAT(FieldsOf(bytes, &is_ok), testing::ElementsAre(1, 2));
  EXPECT_TRUE(is_ok);
}

TEST(WireTest, RefusesGroupsThatNestWithoutEndOrEndAnother) {
  std::string endless, crossed, orphan;
  for (int depth = 0; depth < 100'000; ++depth) AppendTag(9, WireType::kGroup, &endless);
  AppendTag(9, WireType::kGroup, &crossed);
  AppendTag(8, WireType::kGroupEnd, &crossed);
  AppendTag(9, WireType::kGroupEnd, &orphan);
  EXPECT_FALSE(IsWellFormed(endless));
  EXPECT_FALSE(IsWellFormed(crossed));
  EXPECT_FALSE(IsWellFormed(orphan));
}

TEST(WireTest, RefusesFieldZeroUnknownTypesAndLengthsBeyondTheEnd) {
  EXPECT_FALSE(IsWellFormed(std::string_view("\0\0", 2)));
  EXPECT_FALSE(IsWellFormed("\x0e"));
  EXPECT_FALSE(IsWellFormed("\x0a\x05pear"));
  EXPECT_FALSE(IsWellFormed("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
  EXPECT_FALSE(IsWellFormed("\x09pear"));
  EXPECT_TRUE(IsWellFormed(""));
}

TEST(WireTest, KnowsUtf8) {
  for (const char* const text : {"", "plain", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    EXPECT_TRUE(IsUtf8(text));
  // Overlong, a surrogate, beyond the last character, cut short, a byte of its own.
  for (const char* const text :
       {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xff"})
    EXPECT_FALSE(IsUtf8(text)) << text;
}

}  // namespace
}  // namespace workbench
