// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/reshape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using ::testing::ElementsAre;

std::vector<int64_t> Adapted(std::vector<int64_t> shape, const std::vector<int64_t>& dims, bool is_batched,
                             bool is_taker_batched) {
  AdaptBatchDimension(dims, is_batched, is_taker_batched, &shape);
  return shape;
}

TEST(AdaptBatchDimensionTest, ATakerThatBatchesIsGivenABatchOfOne) {
  EXPECT_THAT(Adapted({4}, {4}, false, true), ElementsAre(1, 4));
  EXPECT_THAT(Adapted({7, 4}, {-1, 4}, false, true), ElementsAre(1, 7, 4));
}

TEST(AdaptBatchDimensionTest, AShapeThatHasTheBatchAlreadyStays) {
  EXPECT_THAT(Adapted({2, 4}, {4}, false, true), ElementsAre(2, 4));
}

TEST(AdaptBatchDimensionTest, ATakerThatDoesNotBatchIsGivenNoBatchOfOne) {
  EXPECT_THAT(Adapted({1, 4}, {4}, true, false), ElementsAre(4));
}

TEST(AdaptBatchDimensionTest, ABatchOfTwoStaysForTheTakerToRefuse) {
  EXPECT_THAT(Adapted({2, 4}, {4}, true, false), ElementsAre(2, 4));
}

TEST(AdaptBatchDimensionTest, WhereBothAgreeTheShapeStays) {
  EXPECT_THAT(Adapted({1, 4}, {4}, true, true), ElementsAre(1, 4));
  EXPECT_THAT(Adapted({4}, {4}, false, false), ElementsAre(4));
}

}  // namespace
}  // namespace workbench
