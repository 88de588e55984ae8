// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/model_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using testing::SizeIs;

StatisticsSnapshot Read(const ModelStatistics& statistics) {
  StatisticsSnapshot snapshot;
  statistics.AddTo(&snapshot);
  return snapshot;
}

TEST(ModelStatisticsTest, ARequestThatNeverRanIsAFailureOfItsReason) {
  ModelStatistics statistics;
  statistics.CountFailure(FailureReason::kRejected, 5);
  statistics.CountFailure(FailureReason::kCancelled, 7);
  const StatisticsSnapshot snapshot = Read(statistics);
  EXPECT_EQ(snapshot.fail.count, 2u);
  EXPECT_EQ(snapshot.fail.ns, 12u);
  EXPECT_EQ(snapshot.failures[static_cast<size_t>(FailureReason::kRejected)], 1u);
  EXPECT_EQ(snapshot.failures[static_cast<size_t>(FailureReason::kBackend)], 0u);
}

TEST(ModelStatisticsTest, AnAnswerOutOfTheCacheIsASuccessThatNothingComputed) {
  ModelStatistics statistics;
  statistics.CountCacheHit(10, 3, 2);
  const StatisticsSnapshot snapshot = Read(statistics);
  EXPECT_EQ(snapshot.success.count, 1u);
  EXPECT_EQ(snapshot.queue.ns, 3u);
  EXPECT_EQ(snapshot.cache_hit.ns, 2u);
  EXPECT_EQ(snapshot.compute_infer.count, 0u);
}

TEST(ModelStatisticsTest, AMissAddsItsTimeToARequestThatIsCountedElsewhere) {
  ModelStatistics statistics;
  statistics.CountCacheMiss(4);
  const StatisticsSnapshot snapshot = Read(statistics);
  EXPECT_EQ(snapshot.success.count, 0u);
  EXPECT_EQ(snapshot.success.ns, 4u);
  EXPECT_EQ(snapshot.cache_miss.count, 1u);
}

TEST(ModelStatisticsTest, ResponsesAreCountedByTheirPlaceInTheRequest) {
  ModelStatistics statistics;
  EXPECT_TRUE(statistics.CountResponse(0, {10, 14, 15}, StatusCode::kOk).ok());
  EXPECT_TRUE(statistics.CountResponse(0, {20, 21, 25}, StatusCode::kOk).ok());
  EXPECT_TRUE(statistics.CountResponse(1, {15, 0, 18}, StatusCode::kOk).ok());
  EXPECT_TRUE(statistics.CountResponse(1, {15, 16, 18}, StatusCode::kInternal).ok());
  EXPECT_TRUE(statistics.CountResponse(1, {15, 0, 16}, StatusCode::kCancelled).ok());
  const StatisticsSnapshot snapshot = Read(statistics);
  ASSERT_THAT(snapshot.responses, SizeIs(2));
  EXPECT_EQ(snapshot.responses[0].success.count, 2u);
  EXPECT_EQ(snapshot.responses[0].success.ns, 10u);
  EXPECT_EQ(snapshot.responses[0].compute_infer.ns, 5u);
  EXPECT_EQ(snapshot.responses[0].compute_output.ns, 5u);
  EXPECT_EQ(snapshot.responses[1].empty_response.ns, 3u);
  EXPECT_EQ(snapshot.responses[1].compute_infer.count, 2u);  // of the empty one, and of the failed one
  EXPECT_EQ(snapshot.responses[1].fail.count, 1u);
  EXPECT_EQ(snapshot.responses[1].compute_output.ns, 2u);
  EXPECT_EQ(snapshot.responses[1].cancel.ns, 1u);
}

TEST(ModelStatisticsTest, TimesOfAResponseThatRunBackwardsAreRefused) {
  ModelStatistics statistics;
  EXPECT_EQ(statistics.CountResponse(0, {10, 9, 15}, StatusCode::kOk).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(statistics.CountResponse(0, {10, 0, 9}, StatusCode::kOk).code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(Read(statistics).responses, SizeIs(0));
}

TEST(ModelStatisticsTest, MemoryIsSummedByPlaceAndReportedAnewByEach) {
  ModelStatistics statistics;
  const int model = 0;
  const int instance = 0;
  const MemoryPlace gpu{MemoryType::kGpu, 1};
  statistics.SetMemoryUsage(&model, {{MemoryPlace(), 100, nullptr}, {gpu, 7, nullptr}});
  statistics.SetMemoryUsage(&instance, {{gpu, 5, nullptr}});
  statistics.SetMemoryUsage(&instance, {{gpu, 3, nullptr}});
  const StatisticsSnapshot snapshot = Read(statistics);
  ASSERT_THAT(snapshot.memory_usage, SizeIs(2));
  EXPECT_EQ(snapshot.memory_usage[0].byte_size, 100u);
  EXPECT_EQ(snapshot.memory_usage[1].byte_size, 10u);
}

}  // namespace
}  // namespace workbench
