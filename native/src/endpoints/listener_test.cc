// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A door for which there are not threads enough says so, and leaves nothing behind. The port is a free one of
// the loopback.
#include "endpoints/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/failing_threads.h"

namespace workbench {
namespace {

constexpr unsigned kLoops = 2;
constexpr int kThreads = 2 + kLoops;  // managers and loops

Status Listen(Listener* listener) { return listener->Listen("127.0.0.1", 0); }

TEST(ListenerTest, EachThreadThatCanNotBeStartedIsToldAndTheNextDoorOpens) {
  for (int first = 0; first < kThreads; ++first) {
    thread_failures.Arm(first, 1);
    {
      Listener listener([](auto, Loop*) { return nullptr; }, kLoops, "wb-test");
      const Status status = Listen(&listener);
      EXPECT_TRUE(thread_failures.Disarm());
      EXPECT_EQ(status.code(), StatusCode::kUnavailable);
      EXPECT_THAT(status.message(), testing::HasSubstr("thread 'wb-test"));
    }
    Listener next([](auto, Loop*) { return nullptr; }, kLoops, "wb-test");
    EXPECT_TRUE(Listen(&next).ok());
    EXPECT_NE(next.port(), 0);
  }
}

TEST(ListenerTest, NeedsNoOtherThread) {
  thread_failures.Arm(kThreads, 1);
  Listener listener([](auto, Loop*) { return nullptr; }, kLoops, "wb-test");
  EXPECT_TRUE(Listen(&listener).ok());
  listener.Close(0);
  EXPECT_FALSE(thread_failures.Disarm());
}

}  // namespace
}  // namespace workbench
