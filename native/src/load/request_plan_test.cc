// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/request_plan.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

RequestPlan PlanOf(std::vector<PlannedRequest> steps) {
  Result<RequestPlan> plan = RequestPlan::Create(std::move(steps), /*sample_count=*/2);
  EXPECT_TRUE(plan.ok());
  return std::move(plan).value();
}

TEST(RequestPlanTest, WithoutStepsSendsTheFirstSampleOfNoSequence) {
  const PlannedRequest request = RequestPlan().At(7);
  EXPECT_EQ(request.sample, 0u);
  EXPECT_EQ(request.sequence, 0u);
}

TEST(RequestPlanTest, GoesRoundWhenTheRunOutlastsIt) {
  const RequestPlan plan = PlanOf({{0, 1, 0}, {0, 0, 0}});
  EXPECT_EQ(plan.At(0).sample, 1u);
  EXPECT_EQ(plan.At(3).sample, 0u);
  EXPECT_EQ(plan.At(4).sample, 1u);
}

TEST(RequestPlanTest, SequencesOfEachRoundHaveIdsOfTheirOwn) {
  const RequestPlan plan = PlanOf({{11, 0, kSequenceStart}, {13, 0, kSequenceStart}, {11, 1, kSequenceEnd}});
  EXPECT_EQ(plan.At(2).sequence, 11u);
  EXPECT_EQ(plan.At(3).sequence, 14u);
  EXPECT_EQ(plan.At(4).sequence, 16u);
  EXPECT_EQ(plan.At(5).sequence, 14u);
  EXPECT_EQ(plan.At(5).flags, kSequenceEnd);
}

TEST(RequestPlanTest, ASampleThatIsNotThereIsRefused) {
  const Result<RequestPlan> plan = RequestPlan::Create({{0, 2, 0}}, /*sample_count=*/2);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.status().message(), "the plan sends sample 2 of 2");
}

}  // namespace
}  // namespace workbench
