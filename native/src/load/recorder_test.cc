// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/recorder.h"

#include <gtest/gtest.h>

#include <thread>

namespace workbench {
namespace {

TEST(RecorderTest, TellsIntendedSentAndDoneTimesOfEachRequest) {
  Recorder recorder(2, 0);
  recorder.Sent(0, 100, 110);
  recorder.Done(0, 150, StatusCode::kUnavailable);
  const auto records = recorder.Records();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].intended_ns, 100);
  EXPECT_EQ(records[0].sent_ns, 110);
  EXPECT_EQ(records[0].done_ns, 150);
  EXPECT_EQ(records[0].status, static_cast<uint32_t>(StatusCode::kUnavailable));
}

TEST(RecorderTest, ARequestWithoutAnswerHasNoDoneTime) {
  Recorder recorder(1, 0);
  recorder.Sent(0, 0, 0);
  EXPECT_EQ(recorder.Records().at(0).done_ns, 0);
}

TEST(RecorderTest, LeavesOutWhatWasNeverSent) {
  Recorder recorder(10, 0);
  recorder.Sent(3, 30, 30);
  recorder.Sent(1, 10, 10);
  const auto records = recorder.Records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].intended_ns, 10);
  EXPECT_EQ(records[1].intended_ns, 30);
}

TEST(RecorderTest, LeavesOutLooksThatDoNotFit) {
  Recorder recorder(0, 1);
  recorder.Observe({1, 0, 5});
  recorder.Observe({2, 0, 6});
  ASSERT_EQ(recorder.Observations().size(), 1u);
  EXPECT_EQ(recorder.Observations()[0].in_flight, 5u);
}

TEST(RecorderTest, CanBeReadWhileItIsWritten) {
  constexpr uint64_t kCount = 20'000;
  Recorder recorder(kCount, 0);
  std::thread writer([&] {
    for (uint64_t i = 0; i < kCount; ++i) {
      recorder.Sent(i, i, i);
      recorder.Done(i, i + 1, StatusCode::kOk);
    }
  });
  size_t seen = 0;
  while (seen < kCount) {
    const auto records = recorder.Records();
    EXPECT_GE(records.size(), seen);
    seen = records.size();
  }
  writer.join();
}

}  // namespace
}  // namespace workbench
