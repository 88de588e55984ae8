// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/ensemble_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

EnsembleStep Step(const char* model, EnsembleStep::Mapping inputs, EnsembleStep::Mapping outputs,
                  bool is_decoupled = false) {
  return {model, -1, std::move(inputs), std::move(outputs), is_decoupled};
}

Result<EnsembleGraph> Graph(std::vector<EnsembleStep> steps,
                            const std::vector<std::string>& outputs = {"OUT"}) {
  return EnsembleGraph::Create({std::move(steps), 0}, {"IN"}, outputs);
}

void ExpectRefused(const Result<EnsembleGraph>& graph, const std::vector<std::string>& words) {
  ASSERT_EQ(graph.status().code(), StatusCode::kInvalidArgument);
  for (const std::string& word : words) EXPECT_THAT(graph.status().message(), HasSubstr(word));
}

TEST(EnsembleGraphTest, KnowsWhoMakesATensorAndWhoTakesIt) {
  auto graph = Graph({Step("a", {{"IN", "IN"}}, {{"OUT", "t"}}), Step("b", {{"IN", "t"}}, {{"OUT", "OUT"}})});
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  const uint32_t t = graph->outputs(0).front();
  EXPECT_EQ(graph->tensor_name(t), "t");
  EXPECT_EQ(graph->producer(t), 0u);
  EXPECT_THAT(graph->consumers(t), ElementsAre(1));
  EXPECT_EQ(graph->producer(0), EnsembleGraph::kNone);
}

TEST(EnsembleGraphTest, ATensorThatNothingMakesIsNamedWithItsStep) {
  ExpectRefused(Graph({Step("a", {{"IN", "nowhere"}}, {{"OUT", "OUT"}})}), {"step 0", "'a'", "'nowhere'"});
}

TEST(EnsembleGraphTest, ATensorWithTwoMakersIsNamed) {
  ExpectRefused(
      Graph({Step("a", {{"IN", "IN"}}, {{"OUT", "OUT"}}), Step("b", {{"IN", "IN"}}, {{"OUT", "OUT"}})}),
      {"step 1", "'OUT'"});
}

TEST(EnsembleGraphTest, ACircleIsRefused) {
  ExpectRefused(Graph({Step("a", {{"IN", "y"}}, {{"OUT", "x"}}), Step("b", {{"IN", "x"}}, {{"OUT", "y"}}),
                       Step("c", {{"IN", "IN"}}, {{"OUT", "OUT"}})}),
                {"step 0", "circle"});
}

TEST(EnsembleGraphTest, AnOutputThatNoStepMakesIsNamed) {
  ExpectRefused(Graph({Step("a", {{"IN", "IN"}}, {{"OUT", "t"}})}), {"'OUT'"});
}

TEST(EnsembleGraphTest, TensorsOfDifferentDecoupledStepsDoNotMeet) {
  ExpectRefused(Graph({Step("rep", {{"IN", "IN"}}, {{"OUT", "t"}}, true),
                       Step("sum", {{"A", "t"}, {"B", "IN"}}, {{"OUT", "OUT"}})}),
                {"step 1", "'t'", "'IN'", "decoupled"});
}

TEST(EnsembleGraphTest, WhatDerivesFromADecoupledStepHasItAsOrigin) {
  auto graph =
      Graph({Step("rep", {{"IN", "IN"}}, {{"OUT", "t"}}, true), Step("a", {{"IN", "t"}}, {{"OUT", "OUT"}})});
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  EXPECT_EQ(graph->origin(0), EnsembleGraph::kNone);
  EXPECT_EQ(graph->origin(1), 0u);
  EXPECT_EQ(graph->answer_origin(), 0u);
}

TEST(EnsembleGraphTest, AModelOfTwoStepsIsNeithersOwn) {
  auto graph = Graph({Step("a", {{"IN", "IN"}}, {{"OUT", "t"}}), Step("b", {{"IN", "t"}}, {{"OUT", "u"}}),
                      Step("a", {{"IN", "u"}}, {{"OUT", "OUT"}})});
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  EXPECT_FALSE(graph->has_own_model(0));
  EXPECT_TRUE(graph->has_own_model(1));
  EXPECT_FALSE(graph->has_own_model(2));
}

TEST(EnsembleGraphTest, AStepThatNobodyNeedsIsNotNeeded) {
  auto graph = Graph({Step("a", {{"IN", "IN"}}, {{"OUT", "t"}}), Step("b", {{"IN", "t"}}, {{"OUT", "OUT"}}),
                      Step("c", {{"IN", "t"}}, {{"OUT", "OUT2"}})},
                     {"OUT", "OUT2"});
  const auto need = graph->NeedFor({true, false});
  EXPECT_THAT(need.steps, ElementsAre(true, true, false));
  EXPECT_EQ(need.tensors[graph->outputs(0).front()], 1u);
  EXPECT_EQ(graph->NeedFor({true, true}).tensors[graph->outputs(0).front()], 2u);
}

}  // namespace
}  // namespace workbench
