// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "workbench/backend/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using ::testing::HasSubstr;

TEST(JsonTest, ReadsEveryKindOfValue) {
  const std::string text = R"( {"a": [1, -2.5e3, true, false, null, "x"], "b": {"c": {}}, "d": []} )";
  const Json json = Json::Parse(text);
  EXPECT_EQ(json["a"].size(), 6u);
  EXPECT_EQ(json["a"][size_t{0}].integer(), 1);
  EXPECT_DOUBLE_EQ(json["a"][1].number(), -2500);
  EXPECT_TRUE(json["a"][2].boolean());
  EXPECT_FALSE(json["a"][3].boolean(true));
  EXPECT_TRUE(json["a"][4].is_null());
  EXPECT_EQ(json["a"][5].string(), "x");
  EXPECT_EQ(json["b"]["c"].kind(), Json::Kind::kObject);
  EXPECT_EQ(json["d"].size(), 0u);
}

TEST(JsonTest, WhatIsNotThereIsNullAndChains) {
  const Json json = Json::Parse("{\"a\": 1}");
  EXPECT_TRUE(json["b"]["c"][7].is_null());
  EXPECT_TRUE(json["a"]["b"].is_null());
  EXPECT_EQ(json["b"].string("fallback"), "fallback");
  EXPECT_EQ(json["b"].integer(7), 7);
}

TEST(JsonTest, KeepsAll64BitsOfIntegersAlsoAsStrings) {
  const Json json = Json::Parse(R"({"a": 9223372036854775807, "b": "-9223372036854775808", "c": "12x"})");
  EXPECT_EQ(json["a"].integer(), INT64_MAX);
  EXPECT_EQ(json["b"].integer(), INT64_MIN);
  EXPECT_EQ(json["c"].integer(-1), -1);
}

TEST(JsonTest, DecodesEscapes) {
  const Json json = Json::Parse(R"(["\"\\\/\b\f\n\r\t", "\u00e9\u20AC\ud83d\ude00", "{\"a\":[1]}"])");
  EXPECT_EQ(json[size_t{0}].string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(json[1].string(), "\u00e9\u20ac\U0001F600");
  EXPECT_EQ(json[2].string(), "{\"a\":[1]}");
}

TEST(JsonTest, FindsKeysThatAreWrittenWithEscapes) {
  EXPECT_EQ(Json::Parse(R"({"\u0061": 1})")["a"].integer(), 1);
}

TEST(JsonTest, ListsMembersAndElementsInOrder) {
  const Json json = Json::Parse(R"({"b": 1, "a": [3, 2]})");
  EXPECT_EQ(json.members()[0].key, "b");
  EXPECT_EQ(json.members()[1].value.elements()[1].integer(), 2);
  EXPECT_TRUE(json.elements().empty());
}

class BadJsonTest : public ::testing::TestWithParam<const char*> {};

TEST_P(BadJsonTest, IsRefusedWithItsOffset) {
  try {
    Json::Parse(GetParam());
    FAIL() << GetParam();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), TRITONSERVER_ERROR_INVALID_ARG);
    EXPECT_THAT(error.what(), HasSubstr("offset"));
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, BadJsonTest,
                         ::testing::Values("", " ", "{", "[1,", "[1 2]", "{\"a\" 1}", "{a: 1}", "{\"a\": 1,}",
                                           "[1,]", "nul", "tru", "01", "1.", "1e", "-", "+1", ".5", "\"",
                                           "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"", "\"\n\"",
                                           "1 2", "'a'", "[1]]"));

TEST(JsonTest, RefusesNestingThatWouldExhaustTheStack) {
  EXPECT_THROW(Json::Parse(std::string(100000, '[')), Error);
}

}  // namespace
}  // namespace workbench
