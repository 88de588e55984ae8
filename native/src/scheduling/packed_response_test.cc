// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/packed_response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduling/cache_entry.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

CachedResponse Response() {
  CachedResponse response;
  response.outputs.push_back({"OUT", DataType::kInt16, {1, 3}, {1, 0, 2, 0, 3, 0}});
  response.outputs.push_back({"EMPTY", DataType::kFp32, {}, {}});
  Parameter parameter;
  parameter.name = "temperature";
  parameter.type = ParameterType::kDouble;
  parameter.real = 0.25;
  response.parameters.push_back(parameter);
  return response;
}

TEST(PackedResponseTest, ComesBackAsItWas) {
  const auto unpacked = Unpack(Pack(Response()));
  ASSERT_TRUE(unpacked.ok()) << unpacked.status().message();
  const CachedResponse& response = unpacked.value();
  ASSERT_THAT(response.outputs, SizeIs(2));
  EXPECT_EQ(response.outputs[0].name, "OUT");
  EXPECT_EQ(response.outputs[0].type, DataType::kInt16);
  EXPECT_THAT(response.outputs[0].shape, ElementsAre(1, 3));
  EXPECT_THAT(response.outputs[0].bytes, ElementsAre(1, 0, 2, 0, 3, 0));
  EXPECT_THAT(response.outputs[1].bytes, SizeIs(0));
  ASSERT_THAT(response.parameters, SizeIs(1));
  EXPECT_EQ(response.parameters[0].real, 0.25);
}

TEST(PackedResponseTest, APartOfItIsRefused) {
  std::vector<char> bytes = Pack(Response());
  while (!bytes.empty()) {
    bytes.pop_back();
    EXPECT_EQ(Unpack(bytes).status().code(), StatusCode::kInternal) << bytes.size();
  }
}

TEST(PackedResponseTest, AbsurdLengthsAreRefused) {
  std::vector<char> bytes = Pack(Response());
  std::fill(bytes.begin() + 8, bytes.end(), char(0xff));
  EXPECT_EQ(Unpack(bytes).status().code(), StatusCode::kInternal);
}

TEST(CacheEntryTest, BytesGoInAndOutInPieces) {
  const std::vector<char> bytes = {1, 2, 3, 4, 5};
  std::vector<char> first(2);
  std::vector<char> second(3);
  CacheEntry entry;
  entry.Add(first.data(), {{}, first.size(), nullptr});
  entry.Add(second.data(), {{}, second.size(), nullptr});
  CacheInsertion insertion(bytes);
  ASSERT_TRUE(insertion.Copy(entry).ok());
  EXPECT_THAT(second, ElementsAre(3, 4, 5));
  CacheRetrieval retrieval;
  ASSERT_TRUE(retrieval.Copy(entry).ok());
  EXPECT_EQ(retrieval.bytes(), bytes);
}

TEST(CacheEntryTest, BuffersThatWantMoreThanThereIsAreRefused) {
  const std::vector<char> bytes(4);
  std::vector<char> target(5);
  CacheEntry entry;
  entry.Add(target.data(), {{}, target.size(), nullptr});
  EXPECT_EQ(CacheInsertion(bytes).Copy(entry).code(), StatusCode::kInvalidArgument);
  void* base = nullptr;
  BufferAttributes attributes;
  EXPECT_EQ(entry.Get(1, &base, &attributes).code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace workbench
