// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/inference_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inference/response_factory.h"
#include "inference/testing.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class InferenceRequestTest : public ::testing::Test {
 protected:
  RequestPtr NewRequest() { return sender_.NewRequest(&target_); }
  // A request whose only input has that shape and so many bytes.
  RequestPtr WithInput(std::vector<int64_t> shape, size_t byte_size, DataType type = DataType::kFp32) {
    RequestPtr request = NewRequest();
    EXPECT_TRUE(request->AddInput("IN", type, shape.data(), shape.size()).ok());
    EXPECT_TRUE(request->AppendInputData("IN", bytes_, byte_size, MemoryPlace()).ok());
    return request;
  }
  void DeclareStrings() {
    target_.mutable_signature().inputs[0].type = DataType::kBytes;
    target_.mutable_signature().inputs[0].dims = {-1};
  }
  Status PrepareStrings(const std::string& content, int64_t count) {
    RequestPtr request = NewRequest();
    const int64_t shape[] = {1, count};
    EXPECT_TRUE(request->AddInput("IN", DataType::kBytes, shape, 2).ok());
    EXPECT_TRUE(request->AppendInputData("IN", content.data(), content.size(), MemoryPlace()).ok());
    return request->Prepare();
  }

  FakeTarget target_;
  FakeSender sender_;
  char bytes_[256] = {};
};

TEST_F(InferenceRequestTest, KnowsItsRowsAndOutputsOncePrepared) {
  RequestPtr request = WithInput({3, 2}, 24);
  ASSERT_TRUE(request->Prepare().ok());
  EXPECT_EQ(request->rows, 3u);
  ASSERT_EQ(request->output_count(), 1u);
  EXPECT_EQ(request->output(0).name, "OUT");
  EXPECT_THAT(request->input(0).shape, ElementsAre(3, 2));
}

TEST_F(InferenceRequestTest, TellsTheBytesThatItExpectedAndGot) {
  const Status status = WithInput({1, 2}, 28)->Prepare();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("expected 8 bytes, got 28"));
}

TEST_F(InferenceRequestTest, RefusesAnotherType) {
  EXPECT_THAT(WithInput({1, 2}, 8, DataType::kInt32)->Prepare().message(), HasSubstr("is FP32, got INT32"));
}

TEST_F(InferenceRequestTest, RefusesAnotherShape) {
  EXPECT_THAT(WithInput({1, 3}, 12)->Prepare().message(), HasSubstr("has shape [-1,2], got [1,3]"));
  EXPECT_THAT(WithInput({2}, 8)->Prepare().message(), HasSubstr("has shape [-1,2], got [2]"));
}

TEST_F(InferenceRequestTest, RefusesMoreRowsThanTheLargestBatch) {
  EXPECT_THAT(WithInput({9, 2}, 72)->Prepare().message(), HasSubstr("allowed are 1 to max_batch_size 8"));
}

TEST_F(InferenceRequestTest, RefusesAMissingInput) {
  EXPECT_THAT(NewRequest()->Prepare().message(), HasSubstr("input 'IN' of model 'm' is missing"));
}

TEST_F(InferenceRequestTest, RefusesElementCountsThatOverflow) {
  target_.mutable_signature().max_batch_size = 0;
  target_.mutable_signature().inputs[0].dims = {-1, -1};
  const Status status = WithInput({int64_t{1} << 62, 8}, 8)->Prepare();
  EXPECT_THAT(status.message(), HasSubstr("too many elements"));
}

TEST_F(InferenceRequestTest, RefusesAnUnknownInputAndNamesTheKnown) {
  const int64_t shape[] = {1, 2};
  EXPECT_THAT(NewRequest()->AddInput("NI", DataType::kFp32, shape, 2).message(),
              HasSubstr("its inputs are IN"));
}

TEST_F(InferenceRequestTest, CountsStrings) {
  DeclareStrings();
  EXPECT_TRUE(PrepareStrings(std::string("\2\0\0\0ab", 6), 1).ok());
  EXPECT_TRUE(
      PrepareStrings(std::string("\3\0\0\0a\0b", 7), 1).ok());  // an embedded NUL is a byte like others
  EXPECT_THAT(PrepareStrings(std::string("\2\0\0\0ab", 6), 2).message(),
              HasSubstr("expected 2 strings, got 1"));
}

TEST_F(InferenceRequestTest, RefusesAStringThatEndsEarly) {
  DeclareStrings();
  EXPECT_THAT(PrepareStrings(std::string("\2\0\0\0a", 5), 1).message(),
              HasSubstr("ends within its string 0"));
  EXPECT_THAT(PrepareStrings(std::string("\2\0", 2), 1).message(), HasSubstr("ends within its string 0"));
}

TEST_F(InferenceRequestTest, ReadsStringsAcrossBuffers) {
  DeclareStrings();
  RequestPtr request = NewRequest();
  const int64_t shape[] = {1, 1};
  ASSERT_TRUE(request->AddInput("IN", DataType::kBytes, shape, 2).ok());
  ASSERT_TRUE(request->AppendInputData("IN", "\2\0", 2, MemoryPlace()).ok());
  ASSERT_TRUE(request->AppendInputData("IN", "\0\0a", 3, MemoryPlace()).ok());
  ASSERT_TRUE(request->AppendInputData("IN", "b", 1, MemoryPlace()).ok());
  EXPECT_TRUE(request->Prepare().ok());
}

TEST_F(InferenceRequestTest, ReshapesForTheBackend) {
  TensorSpec& input = target_.mutable_signature().inputs[0];
  input.has_reshape = true;
  input.reshape = {1, 2};
  RequestPtr request = WithInput({3, 2}, 24);
  ASSERT_TRUE(request->Prepare().ok());
  EXPECT_THAT(request->input(0).shape, ElementsAre(3, 1, 2));
}

TEST_F(InferenceRequestTest, ShapesThatCannotShareABatchDiffer) {
  target_.mutable_signature().inputs[0].dims = {-1};
  RequestPtr two = WithInput({1, 2}, 8);
  RequestPtr three = WithInput({1, 3}, 12);
  RequestPtr two_again = WithInput({4, 2}, 32);
  ASSERT_TRUE(two->Prepare().ok() && three->Prepare().ok() && two_again->Prepare().ok());
  EXPECT_NE(two->shape_signature, three->shape_signature);
  EXPECT_EQ(two->shape_signature, two_again->shape_signature);
}

TEST_F(InferenceRequestTest, FailingAnswersOnceAndReleases) {
  InferenceRequest::Fail(WithInput({1, 2}, 8), UnavailableError("no"));
  ASSERT_EQ(sender_.answers.size(), 1u);
  EXPECT_EQ(sender_.answers[0].message(), "no");
  EXPECT_EQ(sender_.released, 1);
  EXPECT_EQ(target_.references, 0);
}

TEST_F(InferenceRequestTest, OutputsGiveTheirBuffersBack) {
  RequestPtr request = WithInput({1, 2}, 8);
  auto response = request->NewResponse();
  const int64_t shape[] = {1, 2};
  auto output = response->AddOutput("OUT", DataType::kFp32, shape, 2);
  ASSERT_TRUE(output.ok());
  ASSERT_TRUE((*output)->Allocate(8, MemoryPlace()).ok());
  EXPECT_EQ((*output)->Allocate(8, MemoryPlace()).code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(sender_.allocator.live, 1);
  response.reset();
  EXPECT_EQ(sender_.allocator.live, 0);
}

TEST_F(InferenceRequestTest, AResponseHasOnlyDeclaredOutputsAndEachOnce) {
  auto response = WithInput({1, 2}, 8)->NewResponse();
  const int64_t shape[] = {1, 2};
  EXPECT_EQ(response->AddOutput("NO", DataType::kFp32, shape, 2).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_TRUE(response->AddOutput("OUT", DataType::kFp32, shape, 2).ok());
  EXPECT_EQ(response->AddOutput("OUT", DataType::kFp32, shape, 2).status().code(),
            StatusCode::kAlreadyExists);
}

TEST_F(InferenceRequestTest, AFactorySeesACancellationAfterTheRelease) {
  RequestPtr request = WithInput({1, 2}, 8);
  ResponseFactory factory(request.get());
  const auto cancellation = request->shared_cancellation();
  InferenceRequest::Release(std::move(request), 1);
  EXPECT_FALSE(factory.is_cancelled());
  cancellation->store(true);
  EXPECT_TRUE(factory.is_cancelled());
  EXPECT_EQ(target_.in_flight, 1);
}

TEST_F(InferenceRequestTest, ARecycledRequestRemembersNothing) {
  RequestPtr request = WithInput({1, 2}, 8);
  request->set_id("a");
  request->set_priority(3);
  request->Cancel();
  InferenceRequest* const raw = request.get();
  request.reset();
  RequestPtr again = InferenceRequest::New(&target_);
  ASSERT_EQ(again.get(), raw);  // the thread's own free list hands it out again
  EXPECT_EQ(again->id(), "");
  EXPECT_EQ(again->priority(), 0u);
  EXPECT_FALSE(again->is_cancelled());
  EXPECT_EQ(again->input_count(), 0u);
}

TEST_F(InferenceRequestTest, ShapesOfARaggedInputMayDifferWithinABatch) {
  target_.mutable_signature().inputs[0].dims = {-1};
  target_.mutable_signature().inputs[0].allow_ragged_batch = true;
  const RequestPtr two = WithInput({1, 2}, 8);
  const RequestPtr three = WithInput({1, 3}, 12);
  ASSERT_TRUE(two->Prepare().ok() && three->Prepare().ok());
  EXPECT_EQ(two->shape_signature, three->shape_signature);
}

TEST_F(InferenceRequestTest, ABatchIsOfRequestsWithTheSameOptionalInputs) {
  target_.mutable_signature().inputs.push_back({"MORE", DataType::kFp32, {2}, false, {}, true, false, false});
  const RequestPtr without = WithInput({1, 2}, 8);
  const RequestPtr with = WithInput({1, 2}, 8);
  const int64_t shape[] = {1, 2};
  ASSERT_TRUE(with->AddInput("MORE", DataType::kFp32, shape, 2).ok());
  ASSERT_TRUE(with->AppendInputData("MORE", bytes_, 8, MemoryPlace()).ok());
  const RequestPtr without_too = WithInput({1, 2}, 8);
  ASSERT_TRUE(without->Prepare().ok() && with->Prepare().ok() && without_too->Prepare().ok());
  EXPECT_NE(without->shape_signature, with->shape_signature);
  EXPECT_EQ(without->shape_signature, without_too->shape_signature);
}

TEST_F(InferenceRequestTest, ABatchIsOfRequestsWhoseShapeTensorsHoldTheSameValues) {
  TensorSpec& input = target_.mutable_signature().inputs[0];
  input = {"IN", DataType::kInt32, {2}, false, {}, false, true, false};
  const int32_t values[] = {4, 5, 4, 6, 4, 5};
  std::vector<RequestPtr> requests;
  const int64_t shape[] = {2};
  for (int i = 0; i < 3; ++i) {
    requests.push_back(NewRequest());
    ASSERT_TRUE(requests[i]->AddInput("IN", DataType::kInt32, shape, 1).ok());
    ASSERT_TRUE(requests[i]->AppendInputData("IN", values + 2 * i, 8, MemoryPlace()).ok());
    ASSERT_TRUE(requests[i]->Prepare().ok());
  }
  EXPECT_NE(requests[0]->shape_signature, requests[1]->shape_signature);
  EXPECT_EQ(requests[0]->shape_signature, requests[2]->shape_signature);
}

}  // namespace
}  // namespace workbench
