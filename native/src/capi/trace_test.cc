// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Traces: by functions of whoever sends, and by the engine for some requests of a model.
#include <algorithm>
#include <cstring>

#include "capi/interface_fixture.h"

namespace workbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsNull;
using testing::SizeIs;
using testing::StrEq;

class TraceTest : public InterfaceTest {
 protected:
  TraceTest() { Load(); }
  ~TraceTest() override { DeleteResponses(); }  // whose traces are released to this test

  TRITONSERVER_InferenceTrace* NewTrace(uint32_t level) {
    TRITONSERVER_InferenceTrace* trace = nullptr;
    EXPECT_OK(TRITONSERVER_InferenceTraceTensorNew(&trace, TRITONSERVER_InferenceTraceLevel(level), 0,
                                                   &OnActivity, &OnTensor, &OnRelease, this));
    return trace;
  }
  static void OnActivity(TRITONSERVER_InferenceTrace*, TRITONSERVER_InferenceTraceActivity activity,
                         uint64_t time_ns, void* self) {
    auto* const test = static_cast<TraceTest*>(self);
    test->activities_.emplace_back(TRITONSERVER_InferenceTraceActivityString(activity));
    test->times_.push_back(time_ns);
  }
  static void OnTensor(TRITONSERVER_InferenceTrace*, TRITONSERVER_InferenceTraceActivity activity,
                       const char* name, TRITONSERVER_DataType, const void* base, size_t byte_size,
                       const int64_t*, uint64_t rank, TRITONSERVER_MemoryType, int64_t, void* self) {
    auto* const test = static_cast<TraceTest*>(self);
    EXPECT_EQ(byte_size, 16u);
    EXPECT_EQ(rank, 2u);
    EXPECT_EQ(std::memcmp(base, test->values_, byte_size), 0);
    test->tensors_.push_back(std::string(TRITONSERVER_InferenceTraceActivityString(activity)) + " " + name);
  }
  static void OnRelease(TRITONSERVER_InferenceTrace* trace, void* self) {
    ++static_cast<TraceTest*>(self)->released_traces_;
    EXPECT_OK(TRITONSERVER_InferenceTraceDelete(trace));
  }
  void InferTraced(TRITONSERVER_InferenceTrace* trace) {
    NewRequest();
    AddInput();
    EXPECT_OK(TRITONSERVER_InferenceRequestSetId(request_, "seven"));
    Send(trace);
  }

  std::vector<std::string> activities_;
  std::vector<uint64_t> times_;
  std::vector<std::string> tensors_;
  int released_traces_ = 0;
};

TEST_F(TraceTest, HearsEachPointOfARequestsWayInOrder) {
  InferTraced(NewTrace(TRITONSERVER_TRACE_LEVEL_TIMESTAMPS));
  EXPECT_THAT(activities_, ElementsAre("REQUEST_START", "QUEUE_START", "COMPUTE_START", "COMPUTE_INPUT_END",
                                       "COMPUTE_OUTPUT_START", "COMPUTE_END", "REQUEST_END"));
  EXPECT_TRUE(std::is_sorted(times_.begin(), times_.end()));
  EXPECT_THAT(tensors_, IsEmpty());
  EXPECT_EQ(released_traces_, 0);  // the response has it still
  DeleteResponses();
  EXPECT_EQ(released_traces_, 1);
}

TEST_F(TraceTest, ShowsTensorsWhereTheyAreAskedFor) {
  InferTraced(NewTrace(TRITONSERVER_TRACE_LEVEL_TENSORS));
  EXPECT_THAT(activities_, IsEmpty());
  EXPECT_THAT(tensors_,
              ElementsAre("TENSOR_QUEUE_INPUT IN", "TENSOR_BACKEND_INPUT IN", "TENSOR_BACKEND_OUTPUT OUT"));
}

TEST_F(TraceTest, TellsWhichRequestItIsOf) {
  std::string told;
  inspection().on_request = [&](auto*, auto* request, auto*, auto*) {
    TRITONSERVER_InferenceTrace* trace = nullptr;
    const char* text = nullptr;
    int64_t version = 0;
    EXPECT_OK(TRITONBACKEND_RequestTrace(request, &trace));
    EXPECT_OK(TRITONSERVER_InferenceTraceModelName(trace, &text));
    told += text;
    EXPECT_OK(TRITONSERVER_InferenceTraceModelVersion(trace, &version));
    told += " " + std::to_string(version);
    EXPECT_OK(TRITONSERVER_InferenceTraceRequestId(trace, &text));
    told += std::string(" ") + text;
    EXPECT_OK(TRITONSERVER_InferenceTraceContext(trace, &text));
    told += std::string(" ") + text;
    EXPECT_OK(TRITONSERVER_InferenceTraceReportActivity(trace, 1, "tokenized"));
  };
  TRITONSERVER_InferenceTrace* const trace = NewTrace(TRITONSERVER_TRACE_LEVEL_TIMESTAMPS);
  EXPECT_OK(TRITONSERVER_InferenceTraceSetContext(trace, "{}"));
  InferTraced(trace);
  EXPECT_EQ(told, "m 1 seven {}");
  EXPECT_THAT(activities_, testing::Contains("CUSTOM_ACTIVITY"));
}

TEST_F(TraceTest, AChildHasAnIdOfItsOwnAndItsParents) {
  TRITONSERVER_InferenceTrace* const trace = NewTrace(TRITONSERVER_TRACE_LEVEL_TIMESTAMPS);
  TRITONSERVER_InferenceTrace* child = nullptr;
  uint64_t id = 0;
  uint64_t child_id = 0;
  uint64_t parent_id = 7;
  EXPECT_OK(TRITONSERVER_InferenceTraceId(trace, &id));
  EXPECT_OK(TRITONSERVER_InferenceTraceParentId(trace, &parent_id));
  EXPECT_EQ(parent_id, 0u);
  EXPECT_OK(TRITONSERVER_InferenceTraceSpawnChildTrace(trace, &child));
  EXPECT_OK(TRITONSERVER_InferenceTraceId(child, &child_id));
  EXPECT_OK(TRITONSERVER_InferenceTraceParentId(child, &parent_id));
  EXPECT_NE(child_id, id);
  EXPECT_EQ(parent_id, id);
  EXPECT_OK(TRITONSERVER_InferenceTraceDelete(child));
  EXPECT_OK(TRITONSERVER_InferenceTraceDelete(trace));
}

TEST_F(TraceTest, OfARequestThatIsRefusedStaysItsMakers) {
  TRITONSERVER_InferenceTrace* const trace = NewTrace(TRITONSERVER_TRACE_LEVEL_TIMESTAMPS);
  NewRequest();
  EXPECT_CODE(TRITONSERVER_ServerInferAsync(server(), request_, trace), INVALID_ARG);  // it has no input
  EXPECT_EQ(released_traces_, 0);
  EXPECT_OK(TRITONSERVER_InferenceTraceDelete(trace));
}

TEST_F(TraceTest, OfTensorsNeedsAFunctionForThem) {
  TRITONSERVER_InferenceTrace* trace = nullptr;
  EXPECT_CODE(TRITONSERVER_InferenceTraceNew(&trace, TRITONSERVER_TRACE_LEVEL_TENSORS, 0, &OnActivity,
                                             &OnRelease, this),
              INVALID_ARG);
  EXPECT_OK(TRITONSERVER_InferenceTraceNew(&trace, TRITONSERVER_TRACE_LEVEL_TIMESTAMPS, 0, &OnActivity,
                                           &OnRelease, this));
  EXPECT_OK(TRITONSERVER_InferenceTraceDelete(trace));
  EXPECT_THAT(TRITONSERVER_InferenceTraceLevelString(TRITONSERVER_TRACE_LEVEL_TENSORS), StrEq("TENSORS"));
}

TEST_F(TraceTest, TheEngineTracesOneOfSoManyUntilTheCountIsUsedUp) {
  engine_->SetTrace("", TraceSettings{4, 2, 2});
  for (int i = 0; i < 8; ++i) {
    Infer();
    EXPECT_OK(TRITONSERVER_InferenceRequestDelete(request_));
    request_ = nullptr;
  }
  DeleteResponses();
  const TracePage page = engine_->TakeTraces();
  ASSERT_THAT(page.records, SizeIs(2));
  EXPECT_EQ(page.records[0].model, "m");
  EXPECT_THAT(page.records[0].activities, SizeIs(7));
  EXPECT_THAT(engine_->TakeTraces().records, IsEmpty());
}

TEST_F(TraceTest, AModelsOwnSettingsComeBeforeThoseOfAll) {
  engine_->SetTrace("", TraceSettings{4, 1, -1});
  engine_->SetTrace("m", TraceSettings{0, 1, -1});
  Infer();
  DeleteResponses();
  EXPECT_THAT(engine_->TakeTraces().records, IsEmpty());
  engine_->SetTrace("m", std::nullopt);
  Send();
  DeleteResponses();
  // The thread that answered may hold it a moment longer.
  EXPECT_TRUE(engine_->WaitForTraces(10'000'000'000));
  EXPECT_THAT(engine_->TakeTraces().records, SizeIs(1));
}

TEST_F(TraceTest, RecordedTensorsKeepTheirBytes) {
  engine_->SetTrace("m", TraceSettings{8, 1, -1});
  Infer();
  DeleteResponses();
  EXPECT_TRUE(engine_->WaitForTraces(10'000'000'000));
  const TracePage page = engine_->TakeTraces();
  ASSERT_THAT(page.records, SizeIs(1));
  ASSERT_THAT(page.records[0].tensors, SizeIs(3));
  EXPECT_EQ(std::memcmp(page.records[0].tensors[2].bytes.data(), values_, sizeof values_), 0);
}

}  // namespace
}  // namespace workbench
