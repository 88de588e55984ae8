// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/sequence_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "testing/counting_resource.h"

namespace workbench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

class SequenceStateTest : public ::testing::Test {
 protected:
  SequenceStateTest() {
    spec_.input.name = "IN_STATE";
    spec_.input.type = DataType::kInt32;
    spec_.input.dims = {2};
    spec_.output_name = "OUT_STATE";
    spec_.initial_dims = {2};
  }

  void Start(bool is_batched = false) {
    state_ = std::make_unique<SequenceState>(spec_, is_batched, memory_);
    ASSERT_TRUE(state_->Restart().ok());
  }
  static std::vector<int32_t> ValuesOf(const RequestInput& input) {
    std::vector<int32_t> values(input.byte_size / sizeof(int32_t));
    if (!values.empty()) std::memcpy(values.data(), input.buffers[0].base, input.byte_size);
    return values;
  }
  std::vector<int32_t> Read() { return ValuesOf(*state_->Present()); }
  // As a backend writes its state.
  void Write(const std::vector<int32_t>& values) {
    const auto size = static_cast<int64_t>(values.size());
    state_->Declare(DataType::kInt32, &size, 1);
    Result<InputBuffer*> buffer = state_->Allocate(values.size() * sizeof(int32_t));
    ASSERT_TRUE(buffer.ok());
    std::memcpy(const_cast<void*>((*buffer)->base), values.data(), values.size() * sizeof(int32_t));
  }
  void WriteAndUpdate(const std::vector<int32_t>& values) {
    Write(values);
    EXPECT_TRUE(state_->Update().ok());
  }

  CountingResource memory_;
  StateSpec spec_;
  std::unique_ptr<SequenceState> state_;
};

TEST_F(SequenceStateTest, StartsWithZeros) {
  Start();
  EXPECT_THAT(Read(), ElementsAre(0, 0));
  EXPECT_THAT(state_->Present()->shape, ElementsAre(2));
}

TEST_F(SequenceStateTest, HasTheBatchDimensionWhereTheModelBatches) {
  Start(true);
  EXPECT_THAT(state_->Present()->shape, ElementsAre(1, 2));
}

TEST_F(SequenceStateTest, StartsWithTheBytesItIsGiven) {
  const int32_t initial[] = {7, 8};
  spec_.initial_bytes.assign(reinterpret_cast<const char*>(initial), sizeof initial);
  Start();
  EXPECT_THAT(Read(), ElementsAre(7, 8));
  WriteAndUpdate({1, 2});
  ASSERT_TRUE(state_->Restart().ok());
  EXPECT_THAT(Read(), ElementsAre(7, 8));
}

TEST_F(SequenceStateTest, KeepsTheShapeOfItsInitialState) {
  spec_.input.dims = {1, 32, -1, 1};
  spec_.initial_dims = {1, 32, 2, 1};
  spec_.initial_bytes.assign(64 * sizeof(int32_t), '\1');
  Start();
  EXPECT_THAT(state_->Present()->shape, ElementsAre(1, 32, 2, 1));
  EXPECT_EQ(state_->Present()->byte_size, 256u);
}

TEST_F(SequenceStateTest, AnUpdateIsWhatTheNextRequestReads) {
  Start();
  WriteAndUpdate({3, 4});
  EXPECT_THAT(Read(), ElementsAre(3, 4));
}

TEST_F(SequenceStateTest, WithoutAnUpdateTheNextRequestReadsWhatThisOneRead) {
  Start();
  WriteAndUpdate({3, 4});
  Read();
  Write({5, 6});
  EXPECT_THAT(Read(), ElementsAre(3, 4));
}

TEST_F(SequenceStateTest, ARequestReadsItsOwnStateAlthoughANewOneIsWritten) {
  Start();
  RequestInput* const input = state_->Present();
  WriteAndUpdate({3, 4});
  EXPECT_THAT(ValuesOf(*input), ElementsAre(0, 0));
}

TEST_F(SequenceStateTest, AStateMayChangeItsShape) {
  Start();
  WriteAndUpdate({1, 2, 3});
  EXPECT_THAT(Read(), ElementsAre(1, 2, 3));
  EXPECT_THAT(state_->Present()->shape, ElementsAre(3));
  WriteAndUpdate({9});
  EXPECT_THAT(Read(), ElementsAre(9));
}

TEST_F(SequenceStateTest, AnUpdateOfNothingIsAnError) {
  Start();
  EXPECT_EQ(state_->Update().code(), StatusCode::kInvalidArgument);
  WriteAndUpdate({1, 2});
  EXPECT_EQ(state_->Update().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(Read(), ElementsAre(1, 2));
}

TEST_F(SequenceStateTest, OneBufferIsWrittenWhereItIsRead) {
  spec_.uses_same_buffer = true;
  Start();
  const void* const read = state_->Present()->buffers[0].base;
  WriteAndUpdate({3, 4});
  EXPECT_EQ(state_->Present()->buffers[0].base, read);
  EXPECT_THAT(Read(), ElementsAre(3, 4));
}

TEST_F(SequenceStateTest, AGrowableBufferKeepsItsBytes) {
  spec_.uses_same_buffer = spec_.is_growable = true;
  Start();
  WriteAndUpdate({1, 2});
  const int64_t size = 3;
  state_->Declare(DataType::kInt32, &size, 1);
  InputBuffer* const buffer = state_->Allocate(3 * sizeof(int32_t)).value();
  static_cast<int32_t*>(const_cast<void*>(buffer->base))[2] = 3;
  EXPECT_TRUE(state_->Update().ok());
  EXPECT_THAT(Read(), ElementsAre(1, 2, 3));
  EXPECT_THAT(state_->Present()->shape, ElementsAre(3));
}

TEST_F(SequenceStateTest, GrowingStepByStepAllocatesFewTimes) {
  spec_.uses_same_buffer = spec_.is_growable = true;
  Start();
  for (int64_t size = 3; size <= 1000; ++size) {
    state_->Declare(DataType::kInt32, &size, 1);
    ASSERT_TRUE(state_->Allocate(static_cast<size_t>(size) * sizeof(int32_t)).ok());
    ASSERT_TRUE(state_->Update().ok());
  }
  EXPECT_EQ(Read().size(), 1000u);
  EXPECT_LE(memory_.allocations(), 12u);
}

TEST_F(SequenceStateTest, OnTheSteadyPathNothingIsAllocated) {
  Start();
  WriteAndUpdate({1, 2});
  const size_t before = memory_.allocations();
  for (int32_t i = 0; i < 100; ++i) WriteAndUpdate({i, i});
  EXPECT_EQ(memory_.allocations(), before);
}

TEST_F(SequenceStateTest, ANullRequestSeesZerosInTheSameShape) {
  Start();
  WriteAndUpdate({1, 2, 3});
  SequenceState null(spec_, false, memory_);
  ASSERT_TRUE(null.Imitate(*state_).ok());
  EXPECT_THAT(ValuesOf(*null.Present()), ElementsAre(0, 0, 0));
}

TEST_F(SequenceStateTest, ExhaustedMemoryIsAnError) {
  Start();
  memory_.SetExhausted(true);
  EXPECT_EQ(state_->Allocate(1 << 20).status().code(), StatusCode::kUnavailable);
}

TEST(SequenceStatesTest, PairsInputsAndOutputsByTheirNames) {
  CountingResource memory;
  std::vector<StateSpec> specs(2);
  specs[0].input.name = "Z";
  specs[0].output_name = "A_NEXT";
  specs[1].input.name = "A";
  specs[1].output_name = "Z_NEXT";
  SequenceStates states(specs, false, memory);
  EXPECT_EQ(states.FindOutput("Z_NEXT")->spec().input.name, "A");
  EXPECT_EQ(states.FindOutput("A_NEXT")->spec().input.name, "Z");
  EXPECT_EQ(states.FindOutput("Z"), nullptr);
}

}  // namespace
}  // namespace workbench
