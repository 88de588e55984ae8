// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_fixture.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;

ControlSpec Flag(ControlSpec::Kind kind, const char* name) {
  ControlSpec spec;
  spec.kind = kind;
  spec.input.name = name;
  spec.input.type = DataType::kInt32;
  spec.false_bytes = std::string("\0\0\0\0", 4);
  spec.true_bytes = std::string("\1\0\0\0", 4);
  return spec;
}

SequenceOptions WithControls(SequenceOptions options, DataType id_type) {
  options.controls = {Flag(ControlSpec::Kind::kStart, "START"), Flag(ControlSpec::Kind::kEnd, "END"),
                      Flag(ControlSpec::Kind::kReady, "READY")};
  ControlSpec id;
  id.kind = ControlSpec::Kind::kCorrelationId;
  id.input.name = "CORRID";
  id.input.type = id_type;
  options.controls.push_back(id);
  return options;
}

std::string ControlsOf(InferenceRequest* request) {
  std::string text;
  for (const char* name : {"START", "END", "READY"}) text += std::to_string(ValueOf<int32_t>(request, name));
  return text + ":" + std::to_string(ValueOf<uint32_t>(request, "CORRID"));
}

TEST_F(SequenceSchedulerTest, ControlsTellWhereARequestStands) {
  SchedulingOptions options = Options(Strategy::kDirect);
  options.sequence = WithControls(options.sequence, DataType::kUint32);
  Start(options);
  runner_.holds = true;
  Texts seen;
  auto look = [&] {
    for (InferenceRequest* request : runner_.batch.requests) seen.push_back(ControlsOf(request));
    runner_.ReleaseAll();
  };
  runner_.is_busy = true;
  Send(7, kStart);
  Send(8, kStart | kEnd);
  runner_.Run();
  look();
  Send(7, kNone);
  runner_.Run();
  look();
  Send(9, kStart);
  runner_.Run();
  look();
  Send(7, kEnd);
  runner_.Run();
  look();
  EXPECT_THAT(seen, ElementsAre("101:7", "111:8", "001:7", "000:0", "101:9", "011:7"));
}

TEST_F(SequenceSchedulerTest, TheSenderGetsItsRequestBackWithoutWhatTheSchedulerGave) {
  SchedulingOptions options = Options(Strategy::kDirect);
  options.sequence = WithControls(options.sequence, DataType::kUint32);
  Start(options);
  runner_.holds = true;
  InferenceRequest* const request = Send(7, kStart);
  EXPECT_EQ(request->input_count(), 4u);
  static size_t left;
  left = 99;
  request->AddReleaseCallback([](InferenceRequest* r, uint32_t, void*) { left = r->input_count(); }, nullptr);
  runner_.ReleaseAll();
  EXPECT_EQ(left, 0u);
}

TEST_F(SequenceSchedulerTest, ATextIsGivenWithItsLength) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.sequence = WithControls(options.sequence, DataType::kBytes);
  Start(options);
  runner_.holds = true;
  std::vector<std::string> seen;
  auto send = [&](auto id) {
    RequestPtr request = NewRequest(0, kStart);
    request->set_correlation_id(id);
    EXPECT_TRUE(Send(std::move(request)).ok());
    const RequestInput* const input = runner_.batch.requests[0]->FindInput("CORRID");
    seen.emplace_back(static_cast<const char*>(input->buffers[0].base), input->byte_size);
    seen.emplace_back(runner_.batch.requests[0]->correlation_name());
    runner_.ReleaseAll();
  };
  send("ab");
  send(uint64_t{12});
  const std::string length("\2\0\0\0", 4);
  EXPECT_THAT(seen, ElementsAre(length + "ab", "ab", length + "12", "12"));
}

TEST_F(SequenceSchedulerTest, ATextIsRefusedWhereTheModelTakesNumbers) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.sequence = WithControls(options.sequence, DataType::kUint64);
  Start(options);
  RequestPtr request = NewRequest(0, kStart);
  request->set_correlation_id("ab");
  EXPECT_EQ(Send(std::move(request)).code(), StatusCode::kInvalidArgument);
}

TEST_F(SequenceSchedulerTest, EachSequenceHasItsOwnState) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    SchedulingOptions options = Options(strategy);
    options.sequence.states = {Sum()};
    Start(options);
    Texts seen;
    runner_.on_execute = [&](InferenceRequest* request) { Count(request, &seen); };
    Send(1, kStart);
    Send(2, kStart);
    Send(1, kNone);
    Send(2, kNone);
    Send(1, kEnd);
    Send(3, kStart);
    EXPECT_THAT(seen, ElementsAre("1:0", "2:0", "1:1", "2:1", "1:2", "3:0"));
  }
}

TEST_F(SequenceSchedulerTest, AStartOfAnOpenSequenceResetsItsState) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.sequence.states = {Sum()};
  Start(options);
  Texts seen;
  runner_.on_execute = [&](InferenceRequest* request) { Count(request, &seen); };
  Send(1, kStart);
  Send(1, kNone);
  Send(1, kStart);
  Send(1, kNone);
  EXPECT_THAT(seen, ElementsAre("1:0", "1:1", "1:0", "1:1"));
}

TEST_F(SequenceSchedulerTest, NullRequestsHaveStatesOfTheirOwn) {
  SchedulingOptions options = Options(Strategy::kDirect);
  options.sequence.states = {Sum()};
  Start(options);
  Texts seen;
  runner_.on_execute = [&](InferenceRequest* request) { Count(request, &seen); };
  Send(1, kStart);
  Send(2, kStart);
  runner_.holds = true;
  Send(2, kNone);
  InferenceRequest* const null = runner_.batch.requests[0];
  ASSERT_TRUE(null->is_null());
  EXPECT_EQ(ValueOf<int32_t>(null, "SUM_IN"), 0);
  Texts ignored;
  Count(null, &ignored);
  runner_.ReleaseAll();
  runner_.holds = false;
  Send(1, kNone);
  EXPECT_THAT(seen, ElementsAre("1:0", "2:0", "2:1", "1:1"));
}

TEST_F(SequenceSchedulerTest, WithoutMemoryForStatesTheRequestIsAnswered) {
  SchedulingOptions options = Options(Strategy::kOldest);
  options.sequence.states = {Sum()};
  Start(options);
  memory_.SetExhausted(true);
  Send(1, kStart);
  ASSERT_EQ(sender_.answers.size(), 1u);
  EXPECT_EQ(sender_.answers[0].code(), StatusCode::kUnavailable);
  memory_.SetExhausted(false);
  Send(2, kStart);
  EXPECT_THAT(runner_.batches, ElementsAre(Texts{"2S"}));
}
}  // namespace
}  // namespace workbench
