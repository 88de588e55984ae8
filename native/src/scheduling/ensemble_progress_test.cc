// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/ensemble_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

EnsembleStep Step(EnsembleStep::Mapping inputs, EnsembleStep::Mapping outputs, bool is_decoupled = false) {
  return {"m", -1, std::move(inputs), std::move(outputs), is_decoupled};
}

// A chain: IN -> 0 -> t -> 1 -> OUT, and t -> 2 -> OUT2.
EnsembleGraph Fork(bool is_decoupled = false) {
  return EnsembleGraph::Create(
             {{Step({{"IN", "IN"}}, {{"OUT", "t"}}, is_decoupled), Step({{"IN", "t"}}, {{"OUT", "OUT"}}),
               Step({{"IN", "t"}}, {{"OUT", "OUT2"}})},
              0},
             {"IN"}, {"OUT", "OUT2"})
      .value();
}

std::vector<uint32_t> Ready(EnsembleProgress* progress) {
  std::vector<uint32_t> steps;
  while (const auto place = progress->TakeReady()) steps.push_back(place->step);
  return steps;
}

uint32_t Output(const EnsembleGraph& graph, uint32_t step) { return graph.outputs(step).front(); }

TEST(EnsembleProgressTest, AStepIsReadyOnceItsTensorsAreSettled) {
  const EnsembleGraph graph = Fork();
  EnsembleProgress progress(graph, {true, true});
  EXPECT_THAT(Ready(&progress), IsEmpty());
  progress.Settle(0, 0, true);
  EXPECT_THAT(Ready(&progress), ElementsAre(0));
  progress.Settle(0, Output(graph, 0), true);
  EXPECT_THAT(Ready(&progress), UnorderedElementsAre(1, 2));
}

TEST(EnsembleProgressTest, AStepThatNobodyNeedsIsNeverReady) {
  const EnsembleGraph graph = Fork();
  EnsembleProgress progress(graph, {false, true});
  progress.Settle(0, 0, true);
  progress.Settle(0, Output(graph, 0), true);
  EXPECT_THAT(Ready(&progress), ElementsAre(0, 2));
  EXPECT_FALSE(progress.is_needed(Output(graph, 1)));
}

TEST(EnsembleProgressTest, AStepWithTwoTensorsWaitsForBoth) {
  const auto graph =
      EnsembleGraph::Create({{Step({{"A", "X"}, {"B", "Y"}}, {{"OUT", "OUT"}})}, 0}, {"X", "Y"}, {"OUT"})
          .value();
  EnsembleProgress progress(graph, {true});
  progress.Settle(0, 1, true);
  EXPECT_THAT(Ready(&progress), IsEmpty());
  progress.Settle(0, 0, false);
  EXPECT_THAT(Ready(&progress), ElementsAre(0));
  EXPECT_FALSE(progress.is_present(0, 0));
  EXPECT_TRUE(progress.is_present(0, 1));
}

TEST(EnsembleProgressTest, WhatAStepDidNotMakeIsSettledAsAbsentWhenItEnds) {
  const EnsembleGraph graph = Fork();
  EnsembleProgress progress(graph, {true, true});
  progress.Settle(0, 0, true);
  const auto place = *progress.TakeReady();
  progress.Finish(place);
  EXPECT_THAT(Ready(&progress), UnorderedElementsAre(1, 2));
  EXPECT_FALSE(progress.is_present(0, Output(graph, 0)));
}

TEST(EnsembleProgressTest, TheAnswerIsCompleteOnceEveryWantedOutputIsSettled) {
  const EnsembleGraph graph = Fork();
  EnsembleProgress progress(graph, {true, true});
  progress.Settle(0, Output(graph, 1), true);
  EXPECT_FALSE(progress.TakeAnswer());
  progress.Settle(0, Output(graph, 2), false);
  EXPECT_EQ(progress.TakeAnswer(), 0u);
  EXPECT_FALSE(progress.TakeAnswer());
}

TEST(EnsembleProgressTest, TheLastTakerIsToldSo) {
  const EnsembleGraph graph = Fork();
  EnsembleProgress progress(graph, {true, true});
  EXPECT_FALSE(progress.Take(0, Output(graph, 0)));
  EXPECT_TRUE(progress.Take(0, Output(graph, 0)));
}

TEST(EnsembleProgressTest, EachAnswerOfADecoupledStepRunsWhatHangsOnIt) {
  const EnsembleGraph graph = Fork(true);
  EnsembleProgress progress(graph, {true, false});
  progress.Settle(0, 0, true);
  const auto producer = *progress.TakeReady();
  const uint32_t first = progress.Answer(producer);
  const uint32_t second = progress.Answer(producer);
  EXPECT_NE(first, second);
  progress.Settle(second, Output(graph, 0), true);
  progress.Settle(first, Output(graph, 0), true);
  const auto one = *progress.TakeReady();
  const auto other = *progress.TakeReady();
  EXPECT_THAT((std::vector<uint32_t>{one.scope, other.scope}), ElementsAre(second, first));
  EXPECT_EQ(progress.open_scopes(0), 2u);
}

TEST(EnsembleProgressTest, AnswersLeaveInTheOrderOfTheStepThatTheyDeriveFrom) {
  const EnsembleGraph graph = Fork(true);
  EnsembleProgress progress(graph, {true, false});
  progress.Settle(0, 0, true);
  const auto producer = *progress.TakeReady();
  const uint32_t first = progress.Answer(producer);
  const uint32_t second = progress.Answer(producer);
  progress.Settle(second, Output(graph, 1), true);
  EXPECT_FALSE(progress.TakeAnswer());
  progress.Settle(first, Output(graph, 1), true);
  EXPECT_EQ(progress.TakeAnswer(), first);
  EXPECT_EQ(progress.TakeAnswer(), second);
}

TEST(EnsembleProgressTest, ScopesThatAreDoneAreUsedAgain) {
  const EnsembleGraph graph = Fork(true);
  EnsembleProgress progress(graph, {true, false});
  progress.Settle(0, 0, true);
  const auto producer = *progress.TakeReady();
  for (int i = 0; i < 1000; ++i) {
    const uint32_t scope = progress.Answer(producer);
    progress.Settle(scope, Output(graph, 0), true);
    const auto place = *progress.TakeReady();
    EXPECT_TRUE(progress.Take(scope, Output(graph, 0)));
    progress.Settle(scope, Output(graph, 1), true);
    progress.Finish(place);
    EXPECT_EQ(progress.TakeAnswer(), scope);
    EXPECT_EQ(progress.open_scopes(0), 0u);
  }
  EXPECT_EQ(progress.scope_count(), 2u);
}

TEST(EnsembleProgressTest, ADecoupledStepThatAnswersNothingLeavesNothingToDo) {
  const EnsembleGraph graph = Fork(true);
  EnsembleProgress progress(graph, {true, true});
  progress.Settle(0, 0, true);
  progress.Finish(*progress.TakeReady());
  EXPECT_THAT(Ready(&progress), IsEmpty());
  EXPECT_FALSE(progress.TakeAnswer());
}

}  // namespace
}  // namespace workbench
