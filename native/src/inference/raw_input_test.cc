// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/raw_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inference/testing.h"

namespace workbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RawInputTest : public testing::Test {
 protected:
  RequestPtr NewRequest(DataType type, std::vector<int64_t> dims, size_t byte_size) {
    TensorSpec& spec = target_.mutable_signature().inputs.front();
    spec.type = type;
    spec.dims = std::move(dims);
    RequestPtr request = sender_.NewRequest(&target_);
    EXPECT_TRUE(request->AddRawInput("body").ok());
    EXPECT_TRUE(request->AppendInputData("body", bytes_, byte_size, MemoryPlace()).ok());
    return request;
  }

  const char bytes_[64] = {};
  FakeTarget target_;
  FakeSender sender_;
};

TEST_F(RawInputTest, TakesTypeAndShapeFromTheModel) {
  RequestPtr request = NewRequest(DataType::kFp32, {2}, 8);
  ASSERT_TRUE(request->Prepare().ok());
  EXPECT_EQ(request->input(0).type, DataType::kFp32);
  EXPECT_THAT(request->input(0).shape, ElementsAre(1, 2));
}

TEST_F(RawInputTest, FillsTheOneVariableDimensionFromTheBytes) {
  RequestPtr request = NewRequest(DataType::kFp32, {2, -1}, 48);
  ASSERT_TRUE(request->Prepare().ok());
  EXPECT_THAT(request->input(0).shape, ElementsAre(1, 2, 6));
}

TEST_F(RawInputTest, GivesAStringItsLengthOnceHoweverOftenItIsPrepared) {
  RequestPtr request = NewRequest(DataType::kBytes, {1}, 5);
  ASSERT_TRUE(request->Prepare().ok());
  ASSERT_TRUE(request->Prepare().ok());
  EXPECT_EQ(request->input(0).byte_size, 9u);
  EXPECT_EQ(*static_cast<const uint32_t*>(request->input(0).buffers[0].base), 5u);
}

TEST_F(RawInputTest, IsRefusedWhereTheShapeDoesNotFollow) {
  for (const auto& [type, dims] : std::vector<std::pair<DataType, std::vector<int64_t>>>{
           {DataType::kFp32, {-1, -1}}, {DataType::kBytes, {-1}}, {DataType::kBytes, {2}}}) {
    EXPECT_EQ(NewRequest(type, dims, 8)->Prepare().code(), StatusCode::kInvalidArgument);
  }
}

TEST_F(RawInputTest, IsRefusedByAModelOfSeveralInputs) {
  target_.mutable_signature().inputs.push_back(target_.signature().inputs.front());
  const Status status = NewRequest(DataType::kFp32, {2}, 8)->Prepare();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("the model 2"));
}

TEST_F(RawInputTest, IsTheOnlyInputOfItsRequest) {
  RequestPtr request = NewRequest(DataType::kFp32, {2}, 8);
  EXPECT_EQ(request->AddRawInput("again").code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(request->RemoveInput("body").ok());
  EXPECT_TRUE(request->AddRawInput("again").ok());
}

TEST_F(RawInputTest, AWrongNumberOfBytesIsToldWithWhatWasExpected) {
  EXPECT_THAT(NewRequest(DataType::kFp32, {2}, 7)->Prepare().message(), HasSubstr("expected 8 bytes, got 7"));
}

}  // namespace
}  // namespace workbench
