// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What senders say of a request through the C interface, and what its backend reads of it.
#include "capi/interface_fixture.h"

namespace workbench {
namespace {

using testing::IsNull;
using testing::StrEq;

class RequestTest : public InterfaceTest {
 protected:
  RequestTest() {
    Load();
    NewRequest();
  }
};

TEST_F(RequestTest, TellsWhatWasSetOfIt) {
  const char* id = nullptr;
  uint32_t flags = 7;
  uint64_t number = 7;
  EXPECT_OK(TRITONSERVER_InferenceRequestId(request_, &id));
  EXPECT_THAT(id, StrEq(""));
  EXPECT_OK(TRITONSERVER_InferenceRequestFlags(request_, &flags));
  EXPECT_EQ(flags, 0u);
  EXPECT_OK(TRITONSERVER_InferenceRequestSetId(request_, "one"));
  EXPECT_OK(TRITONSERVER_InferenceRequestId(request_, &id));
  EXPECT_THAT(id, StrEq("one"));
  EXPECT_OK(TRITONSERVER_InferenceRequestSetFlags(request_, 3));
  EXPECT_OK(TRITONSERVER_InferenceRequestFlags(request_, &flags));
  EXPECT_EQ(flags, 3u);
  EXPECT_OK(TRITONSERVER_InferenceRequestSetTimeoutMicroseconds(request_, 5));
  EXPECT_OK(TRITONSERVER_InferenceRequestTimeoutMicroseconds(request_, &number));
  EXPECT_EQ(number, 5u);
}

TEST_F(RequestTest, ACorrelationIdIsANumberOrAText) {
  uint64_t number = 7;
  const char* text = nullptr;
  EXPECT_OK(TRITONSERVER_InferenceRequestCorrelationId(request_, &number));
  EXPECT_EQ(number, 0u);
  EXPECT_CODE(TRITONSERVER_InferenceRequestCorrelationIdString(request_, &text), INVALID_ARG);
  EXPECT_OK(TRITONSERVER_InferenceRequestSetCorrelationIdString(request_, "seven"));
  EXPECT_OK(TRITONSERVER_InferenceRequestCorrelationIdString(request_, &text));
  EXPECT_THAT(text, StrEq("seven"));
  EXPECT_CODE(TRITONSERVER_InferenceRequestCorrelationId(request_, &number), INVALID_ARG);
  EXPECT_OK(TRITONSERVER_InferenceRequestSetCorrelationId(request_, 9));
  EXPECT_OK(TRITONSERVER_InferenceRequestCorrelationId(request_, &number));
  EXPECT_EQ(number, 9u);
}

TEST_F(RequestTest, ACorrelationIdHas128BytesAtMost) {
  EXPECT_OK(TRITONSERVER_InferenceRequestSetCorrelationIdString(request_, std::string(128, 'a').c_str()));
  EXPECT_CODE(TRITONSERVER_InferenceRequestSetCorrelationIdString(request_, std::string(129, 'a').c_str()),
              UNSUPPORTED);
}

TEST_F(RequestTest, APriorityOf64BitsIsNotCutTo32) {
  uint32_t narrow = 0;
  uint64_t wide = 0;
  EXPECT_OK(TRITONSERVER_InferenceRequestSetPriority(request_, 2));
  EXPECT_OK(TRITONSERVER_InferenceRequestPriority(request_, &narrow));
  EXPECT_EQ(narrow, 2u);
  EXPECT_OK(TRITONSERVER_InferenceRequestSetPriorityUInt64(request_, 1ull << 32));
  EXPECT_CODE(TRITONSERVER_InferenceRequestPriority(request_, &narrow), INVALID_ARG);
  EXPECT_OK(TRITONSERVER_InferenceRequestPriorityUInt64(request_, &wide));
  EXPECT_EQ(wide, 1ull << 32);
}

TEST_F(RequestTest, InputsAreAddedOnceAndRemoved) {
  const int64_t shape[] = {1, 4};
  auto add = [&] {
    return TRITONSERVER_InferenceRequestAddInput(request_, "IN", TRITONSERVER_TYPE_FP32, shape, 2);
  };
  EXPECT_CODE(TRITONSERVER_InferenceRequestRemoveInput(request_, "IN"), INVALID_ARG);
  EXPECT_OK(add());
  EXPECT_CODE(add(), INVALID_ARG);
  EXPECT_OK(TRITONSERVER_InferenceRequestRemoveInput(request_, "IN"));
  EXPECT_OK(add());
  EXPECT_OK(TRITONSERVER_InferenceRequestRemoveAllInputs(request_));
  EXPECT_OK(add());
  EXPECT_CODE(TRITONSERVER_InferenceRequestRemoveAllInputData(request_, "OTHER"), INVALID_ARG);
  EXPECT_OK(TRITONSERVER_InferenceRequestRemoveAllInputData(request_, "IN"));
}

TEST_F(RequestTest, OutputsAreAskedForOnceAndRemovedWhetherTheyWereOrNot) {
  EXPECT_OK(TRITONSERVER_InferenceRequestAddRequestedOutput(request_, "OUT"));
  EXPECT_OK(
      TRITONSERVER_InferenceRequestAddRequestedOutput(request_, "OUT"));  // asked for once, all the same
  EXPECT_OK(TRITONSERVER_InferenceRequestRemoveRequestedOutput(request_, "OTHER"));
  EXPECT_OK(TRITONSERVER_InferenceRequestRemoveRequestedOutput(request_, "OUT"));
  EXPECT_OK(TRITONSERVER_InferenceRequestAddRequestedOutput(request_, "OUT"));
  EXPECT_OK(TRITONSERVER_InferenceRequestRemoveAllRequestedOutputs(request_));
  EXPECT_OK(TRITONSERVER_InferenceRequestAddRequestedOutput(request_, "OUT"));
}

TEST_F(RequestTest, IsCancelledOnceSomebodyCouldBeTold) {
  TRITONSERVER_InferenceRequest* bare = nullptr;
  bool is_cancelled = true;
  EXPECT_OK(TRITONSERVER_InferenceRequestNew(&bare, server(), "m", -1));
  EXPECT_CODE(TRITONSERVER_InferenceRequestCancel(bare), INTERNAL);
  EXPECT_CODE(TRITONSERVER_InferenceRequestIsCancelled(bare, &is_cancelled), INTERNAL);
  EXPECT_OK(TRITONSERVER_InferenceRequestDelete(bare));
  EXPECT_OK(TRITONSERVER_InferenceRequestIsCancelled(request_, &is_cancelled));
  EXPECT_FALSE(is_cancelled);
  EXPECT_OK(TRITONSERVER_InferenceRequestCancel(request_));
  EXPECT_OK(TRITONSERVER_InferenceRequestIsCancelled(request_, &is_cancelled));
  EXPECT_TRUE(is_cancelled);
}

TEST_F(RequestTest, IsSentAgainWithTheCallbacksThatItHas) {
  AddInput();
  EXPECT_THAT(TRITONSERVER_InferenceResponseError(Send()), IsNull());
  EXPECT_OK(TRITONSERVER_InferenceRequestCancel(request_));
  EXPECT_THAT(TRITONSERVER_InferenceResponseError(Send()), IsNull());
  EXPECT_EQ(responses_.size(), 2u);
}

TEST_F(RequestTest, ARawInputTakesItsShapeFromTheModel) {
  EXPECT_OK(TRITONSERVER_InferenceRequestAddRawInput(request_, "whatever"));
  EXPECT_CODE(TRITONSERVER_InferenceRequestAddRawInput(request_, "another"), INVALID_ARG);
  EXPECT_OK(TRITONSERVER_InferenceRequestAppendInputData(request_, "whatever", values_, sizeof values_,
                                                         TRITONSERVER_MEMORY_CPU, 0));
  EXPECT_THAT(TRITONSERVER_InferenceResponseError(Send()), IsNull());
}

TEST_F(RequestTest, ItsBackendReadsParametersInOrderAndByType) {
  std::vector<std::string> read;
  inspection().on_request = [&](auto*, auto* request, auto*, auto*) {
    uint32_t count = 0;
    EXPECT_OK(TRITONBACKEND_RequestParameterCount(request, &count));
    for (uint32_t i = 0; i < count; ++i) {
      const char* key = nullptr;
      TRITONSERVER_ParameterType type;
      const void* value = nullptr;
      EXPECT_OK(TRITONBACKEND_RequestParameter(request, i, &key, &type, &value));
      read.push_back(std::string(key) + ":" + TRITONSERVER_ParameterTypeString(type));
      if (type == TRITONSERVER_PARAMETER_DOUBLE) EXPECT_EQ(*static_cast<const double*>(value), 0.5);
      if (type == TRITONSERVER_PARAMETER_INT) EXPECT_EQ(*static_cast<const int64_t*>(value), -3);
      if (type == TRITONSERVER_PARAMETER_BOOL) EXPECT_TRUE(*static_cast<const bool*>(value));
      if (type == TRITONSERVER_PARAMETER_STRING) EXPECT_THAT(static_cast<const char*>(value), StrEq("text"));
    }
    const char* key = nullptr;
    TRITONSERVER_ParameterType type;
    const void* value = nullptr;
    EXPECT_CODE(TRITONBACKEND_RequestParameter(request, count, &key, &type, &value), INVALID_ARG);
  };
  EXPECT_OK(TRITONSERVER_InferenceRequestSetDoubleParameter(request_, "d", 0.5));
  EXPECT_OK(TRITONSERVER_InferenceRequestSetIntParameter(request_, "i", -3));
  EXPECT_OK(TRITONSERVER_InferenceRequestSetBoolParameter(request_, "b", true));
  EXPECT_OK(TRITONSERVER_InferenceRequestSetStringParameter(request_, "s", "text"));
  AddInput();
  Send();
  EXPECT_THAT(read, testing::ElementsAre("d:DOUBLE", "i:INT", "b:BOOL", "s:STRING"));
}

TEST_F(RequestTest, ItsBackendReadsTimeoutAndCorrelationText) {
  uint64_t timeout = 0;
  std::string id;
  inspection().on_request = [&](auto*, auto* request, auto*, auto*) {
    const char* text = nullptr;
    EXPECT_OK(TRITONBACKEND_InferenceRequestTimeoutMicroseconds(request, &timeout));
    EXPECT_OK(TRITONBACKEND_RequestCorrelationIdString(request, &text));
    id = text;
  };
  EXPECT_OK(TRITONSERVER_InferenceRequestSetTimeoutMicroseconds(request_, 12));
  EXPECT_OK(TRITONSERVER_InferenceRequestSetCorrelationIdString(request_, "seven"));
  AddInput();
  Send();
  EXPECT_EQ(timeout, 12u);
  EXPECT_EQ(id, "seven");
}

TEST_F(RequestTest, InstancesOfAHostPolicyReadTheBytesMeantForThem) {
  const float others[4] = {5, 6, 7, 8};
  std::vector<const void*> bases;
  inspection().on_request = [&](auto*, auto* request, auto*, auto*) {
    for (const char* policy : {"gpu_0", "cpu"}) {
      TRITONBACKEND_Input* input = nullptr;
      const void* base = nullptr;
      uint64_t byte_size = 0;
      uint32_t buffer_count = 0;
      TRITONSERVER_MemoryType type;
      int64_t id = 0;
      EXPECT_OK(TRITONBACKEND_RequestInput(request, "IN", &input));
      EXPECT_OK(TRITONBACKEND_InputBufferForHostPolicy(input, policy, 0, &base, &byte_size, &type, &id));
      bases.push_back(base);
      EXPECT_OK(TRITONBACKEND_InputPropertiesForHostPolicy(input, policy, nullptr, nullptr, nullptr, nullptr,
                                                           &byte_size, &buffer_count));
      EXPECT_EQ(byte_size, 16u);
      EXPECT_EQ(buffer_count, 1u);
    }
  };
  AddInput();
  EXPECT_OK(TRITONSERVER_InferenceRequestAppendInputDataWithHostPolicy(request_, "IN", others, sizeof others,
                                                                       TRITONSERVER_MEMORY_CPU, 0, "gpu_0"));
  Send();
  EXPECT_THAT(bases, testing::ElementsAre(others, values_));
}

}  // namespace
}  // namespace workbench
