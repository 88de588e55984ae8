// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Backends that break the interface's rules: each request is answered once, and what comes too much is
// refused.
#include "testing/faults.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include "capi/core_fixture.h"

namespace workbench {
namespace {

using ::testing::HasSubstr;

class FaultsTest : public CoreTest {
 protected:
  FaultsTest() { faults().refused = 0; }
  ~FaultsTest() override { faults().fault = Fault::kNone; }

  static Faults& faults() {
    static void* const library = dlopen(WB_TEST_BACKENDS "/libtriton_faulty.so", RTLD_NOW | RTLD_LOCAL);
    return *static_cast<Faults*>(dlsym(library, "wb_faults"));
  }

  // Answers to that many requests of one batch, sent to a model that misbehaves so.
  std::vector<std::shared_ptr<ResponseBridge>> Answers(Fault fault, int count = 1) {
    faults().fault = fault;
    ModelSpec spec = Spec(true, 10 * kSecond);
    spec.scheduling.batching.preferred_batch_sizes = {static_cast<uint32_t>(count)};
    auto model = Load("faulty", spec);
    std::vector<std::shared_ptr<CallBridge>> calls;
    for (int i = 0; i < count; ++i) calls.push_back(Submit().value());
    std::vector<std::shared_ptr<ResponseBridge>> answers;
    for (const auto& call : calls) {
      answers.push_back(Answer(call));
      EXPECT_TRUE(call->is_exhausted());
    }
    Unload(std::move(model));
    return answers;
  }
};

TEST_F(FaultsTest, ASecondFinalAnswerIsRefused) {
  EXPECT_TRUE(Answers(Fault::kAnswersTwice)[0]->error().ok());
  EXPECT_GE(faults().refused, 1);
}

TEST_F(FaultsTest, ASecondFinalAnswerIsRefusedAlsoOnceTheRequestIsGone) {
  EXPECT_TRUE(Answers(Fault::kAnswersTwiceAfterRelease)[0]->error().ok());
  EXPECT_GE(faults().refused, 1);
}

TEST_F(FaultsTest, NothingIsHeardAfterTheFinalAnswer) {
  EXPECT_TRUE(Answers(Fault::kAnswersAfterFinal)[0]->error().ok());
  EXPECT_EQ(faults().refused, 3);  // a buffer, a response, flags
}

TEST_F(FaultsTest, AResponseIsSentOnce) {
  EXPECT_TRUE(Answers(Fault::kSendsAResponseTwice)[0]->error().ok());
  EXPECT_EQ(faults().refused, 1);
}

TEST_F(FaultsTest, AReleasedRequestHasNoMoreResponses) {
  EXPECT_TRUE(Answers(Fault::kAnswersWithoutRequest)[0]->error().ok());
  EXPECT_EQ(faults().refused, 1);
}

TEST_F(FaultsTest, ASecondReleaseIsRefused) {
  EXPECT_TRUE(Answers(Fault::kReleasesTwice)[0]->error().ok());
  EXPECT_EQ(faults().refused, 1);
}

TEST_F(FaultsTest, AnErrorOfExecuteAnswersThoseThatTheBackendDidNotTake) {
  const auto answers = Answers(Fault::kFailsAfterAnswering, 3);
  EXPECT_TRUE(answers[0]->error().ok());
  EXPECT_EQ(answers[1]->error().code(), StatusCode::kUnavailable);
  EXPECT_EQ(answers[2]->error().code(), StatusCode::kUnavailable);
}

TEST_F(FaultsTest, AnErrorOfExecuteReleasesThoseThatTheBackendAnsweredAlone) {
  for (const auto& answer : Answers(Fault::kFailsAfterSending, 3)) EXPECT_TRUE(answer->error().ok());
}

TEST_F(FaultsTest, SomethingThrownAfterAllIsDoneHarmsNobody) {
  for (const auto& answer : Answers(Fault::kThrowsAfterAnswering, 3)) EXPECT_TRUE(answer->error().ok());
}

TEST_F(FaultsTest, ADrainThatTakesTooLongTellsWhichRequestsAreMissing) {
  faults().fault = Fault::kKeeps;
  auto model = Load("faulty", Spec());
  CallOptions options;
  options.model = "m";
  options.request_id = "a-request-whose-name-is-longer-than-what-is-kept-of-it";
  options.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
  auto call = engine_->Submit(options).value();
  engine_->Retire(*model);
  EXPECT_FALSE(model->Drain(kSecond / 50));
  const std::vector<InFlightRequest> missing = model->InFlightRequests();
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].request_id, "a-request-whose-name-is-longer-t");
  EXPECT_NE(missing[0].serial, 0u);
  EXPECT_GT(missing[0].arrival_ns, 0u);
  EXPECT_EQ(model->Close().code(), StatusCode::kUnavailable);
  faults().answer_kept.load()();
  EXPECT_TRUE(Answer(call)->error().ok());
  EXPECT_TRUE(model->InFlightRequests().empty());
  EXPECT_TRUE(model->Drain(kSecond));
  EXPECT_TRUE(model->Close().ok());
}

}  // namespace
}  // namespace workbench
