// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/request_timing.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

TEST(RequestTimingTest, TellsEverySpanInMilliseconds) {
  EXPECT_EQ(TimingOf({{"REQUEST_START", 0},
                      {"QUEUE_START", 1'000},
                      {"COMPUTE_START", 13'000},
                      {"COMPUTE_INPUT_END", 13'001},
                      {"COMPUTE_OUTPUT_START", 2'013'001},
                      {"COMPUTE_END", 2'014'001},
                      {"REQUEST_END", 3'000'000}}),
            "queue;dur=0.012000, compute_input;dur=0.000001, compute_infer;dur=2.000000, "
            "compute_output;dur=0.001000, request;dur=3.000000");
}

TEST(RequestTimingTest, LeavesOutWhatWasNotHeard) {
  EXPECT_EQ(TimingOf({{"REQUEST_START", 5}, {"QUEUE_START", 6}, {"REQUEST_END", 1'000'005}}),
            "request;dur=1.000000");
  EXPECT_EQ(TimingOf({{"REQUEST_START", 5}, {"REQUEST_END", 4}}), "");
  EXPECT_EQ(TimingOf({}), "");
}

TEST(RequestTimingTest, AWishIsAnythingButZero) {
  EXPECT_TRUE(IsWished("1"));
  EXPECT_FALSE(IsWished("0"));
  EXPECT_FALSE(IsWished(""));
}

}  // namespace
}  // namespace workbench
