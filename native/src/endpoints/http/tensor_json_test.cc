// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/tensor_json.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>

#include "endpoints/http/json.h"

namespace workbench {
namespace {

Result<std::string> Read(const std::string& json, TRITONSERVER_DataType type, size_t count) {
  ASSIGN_OR_RETURN(const rapidjson::Document data, ParseJson(json));
  return ReadTensor(data, type, count, "T");
}

std::string Write(const std::string& bytes, TRITONSERVER_DataType type) {
  JsonBuffer text;
  JsonWriter writer(text);
  EXPECT_TRUE(WriteTensor(bytes.data(), bytes.size(), type, "T", &writer).ok());
  return text.GetString();
}

TEST(TensorJsonTest, FlatAndNestedArraysAreTheSame) {
  EXPECT_EQ(Read("[1,-2,3,4]", TRITONSERVER_TYPE_INT8, 4).value(), std::string("\1\xfe\3\4"));
  EXPECT_EQ(Read("[[1,-2],[3,4]]", TRITONSERVER_TYPE_INT8, 4).value(), std::string("\1\xfe\3\4"));
}

TEST(TensorJsonTest, ValuesBeyondTheTypeAreRefused) {
  for (const char* json : {"[128]", "[-129]", "[1.5]", "[true]", "[null]", "[\"1\"]", "[{}]"}) {
    EXPECT_EQ(Read(json, TRITONSERVER_TYPE_INT8, 1).status().code(), StatusCode::kInternal) << json;
  }
}

TEST(TensorJsonTest, TheShapeMustFit) {
  EXPECT_EQ(Read("[1,2]", TRITONSERVER_TYPE_INT8, 3).status().code(), StatusCode::kInternal);
  EXPECT_TRUE(Read("[]", TRITONSERVER_TYPE_INT8, 0).ok());
}

TEST(TensorJsonTest, DeepNestingIsAnError) {
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  EXPECT_EQ(Read(deep, TRITONSERVER_TYPE_INT8, 0).status().code(), StatusCode::kInvalidArgument);
}

TEST(TensorJsonTest, TextsKeepTheirBytes) {
  const std::string bytes = Read(R"(["a\u0000b", ""])", TRITONSERVER_TYPE_BYTES, 2).value();
  EXPECT_EQ(bytes, std::string("\3\0\0\0a\0b\0\0\0\0", 11));
  EXPECT_EQ(Write(bytes, TRITONSERVER_TYPE_BYTES), R"(["a\u0000b",""])");
}

TEST(TensorJsonTest, NumbersAreReadToTheLastBit) {
  const std::string zeros(400, '0');
  for (const std::string& number :
       {std::string("0.1"), std::string("123456789012345678901234567890"),
        std::string("2.2250738585072011e-308"), std::string("1.7976931348623157e308"), std::string("5e-324"),
        std::string("9007199254740993.0"), "0." + zeros + "123456789012345678901e390",
        "1" + zeros.substr(0, 300) + ".5e-290", "0." + zeros + "1e300",
        std::string("8.442911973260991817129021e-309"), std::string("1e-536870909"),
        std::string("7e-2147483640"), std::string("0.00000000000000000000000000000000e-2147483640"),
        "0." + zeros + "e-99999999999"}) {
    const std::string bytes = Read("[" + number + "]", TRITONSERVER_TYPE_FP64, 1).value();
    double value = -1;
    std::memcpy(&value, bytes.data(), sizeof value);
    EXPECT_EQ(value, std::strtod(number.c_str(), nullptr)) << number;
  }
}

TEST(TensorJsonTest, NumbersBeyondTheLargestAreInfiniteOrRefused) {
  const std::string bytes = Read("[123456789012345678901e300]", TRITONSERVER_TYPE_FP64, 1).value();
  double value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  EXPECT_EQ(value, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(Read("[1e309]", TRITONSERVER_TYPE_FP64, 1).ok());
}

TEST(TensorJsonTest, TextsThatEndTooEarlyAreAnError) {
  JsonBuffer text;
  JsonWriter writer(text);
  EXPECT_FALSE(WriteTensor("\5\0\0\0ab", 6, TRITONSERVER_TYPE_BYTES, "T", &writer).ok());
}

TEST(TensorJsonTest, HalvesHaveNoJson) {
  for (const auto type : {TRITONSERVER_TYPE_FP16, TRITONSERVER_TYPE_BF16}) {
    EXPECT_EQ(Read("[1]", type, 1).status().code(), StatusCode::kInvalidArgument);
  }
}

TEST(TensorJsonTest, InfinitiesAreBare) {
  const std::string bytes = Read("[Infinity, -Infinity]", TRITONSERVER_TYPE_FP32, 2).value();
  EXPECT_EQ(Write(bytes, TRITONSERVER_TYPE_FP32), "[Infinity,-Infinity]");
}

TEST(TensorJsonTest, ZerosAreZeroInAnyForm) {
  const std::string many(60, '0');
  const std::string json = "[0." + many + ", -0." + many.substr(0, 29) +
                           ", 0e-30, 0.0e-40, 0.0e+40, 0E-400, 0." + many.substr(0, 23) + ", 0." +
                           many.substr(0, 24) + "e30, 1e-30, 0." + many + "1]";
  const std::string bytes = Read(json, TRITONSERVER_TYPE_FP64, 10).value();
  EXPECT_EQ(Write(bytes, TRITONSERVER_TYPE_FP64), "[0.0,-0.0,0.0,0.0,0.0,0.0,0.0,0.0,1e-30,1e-61]");
}

TEST(TensorJsonTest, ElementsThatCannotBeCountedAreAnError) {
  EXPECT_EQ(ElementCountOf({2, 3}, "T").value(), 6u);
  EXPECT_FALSE(ElementCountOf({int64_t{1} << 40, int64_t{1} << 40}, "T").ok());
  EXPECT_FALSE(ElementCountOf({-1}, "T").ok());
}

}  // namespace
}  // namespace workbench
