// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Batching strategies out of shared objects.
#include <gmock/gmock.h>

#include "capi/core_fixture.h"

namespace workbench {
namespace {

using ::testing::HasSubstr;

class StrategyTest : public CoreTest {
 protected:
  // A model that batches by that strategy, with that text in its configuration.
  static ModelSpec SpecWith(const char* strategy, const char* config = "{}") {
    ModelSpec spec = Spec(true, kSecond / 10);
    spec.batch_strategy = std::string(WB_TEST_BACKENDS) + "/strategy_" + strategy + ".so";
    spec.config_json = config;
    return spec;
  }
  Status StartOf(const ModelSpec& spec) { return Create("echo", spec)->Start(spec); }

  void AnswerAll(int count) {
    std::vector<std::shared_ptr<CallBridge>> calls;
    for (int i = 0; i < count; ++i) calls.push_back(Submit().value());
    for (const auto& call : calls) EXPECT_TRUE(Answer(call)->error().ok());
  }
};

TEST_F(StrategyTest, DecidesWhichRequestsShareABatch) {
  auto model = Load("echo", SpecWith("pairs"));
  AnswerAll(3);
  Unload(std::move(model));
  const auto batches = EventsOf(EventKind::kBatch);
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_EQ(batches[0].count, 2u);
  EXPECT_EQ(static_cast<BatchReason>(batches[0].detail), BatchReason::kCustom);
}

TEST_F(StrategyTest, StaysWhenTheSchedulerIsReconfigured) {
  auto model = Load("echo", SpecWith("pairs"));
  model->Reconfigure({{true, 8, kSecond / 10, {}}, {}, false});
  AnswerAll(3);
  Unload(std::move(model));
  EXPECT_EQ(EventsOf(EventKind::kBatch).size(), 1u);
}

TEST_F(StrategyTest, ThatThrowsLeavesRequestsToGoOneByOne) {
  auto model = Load("echo", SpecWith("pairs", "throw"));
  AnswerAll(3);
  Unload(std::move(model));
  EXPECT_TRUE(EventsOf(EventKind::kBatch).empty());
}

TEST_F(StrategyTest, ThatLacksAFunctionFailsTheStart) {
  const Status status = StartOf(SpecWith("incomplete"));
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("lacks TRITONBACKEND_ModelBatchIncludeRequest;"));
}

TEST_F(StrategyTest, ThatRefusesTheModelFailsTheStart) {
  const Status status = StartOf(SpecWith("pairs", "refuse"));
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("no such limit"));
}

}  // namespace
}  // namespace workbench
