// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The core as a whole, as its users load it: the shared object, through the bridge, with backends opened from
// files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "capi/core_fixture.h"
#include "triton/core/tritonserver.h"

namespace workbench {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Lt;

TEST_F(CoreTest, AnswersWithTheBackendsOutput) {
  auto model = Load("echo", Spec());
  auto response = Answer(Submit().value());
  ASSERT_TRUE(response->error().ok());
  const auto outputs = response->outputs();
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].name, "OUT");
  EXPECT_EQ(0, memcmp(outputs[0].base, values_, sizeof values_));
  Unload(std::move(model));
}

TEST_F(CoreTest, AnAnswerOutlivesModelAndEngine) {
  auto model = Load("echo", Spec());
  auto response = Answer(Submit().value());
  Unload(std::move(model));
  engine_.reset();
  EXPECT_EQ(0, memcmp(response->outputs()[0].base, values_, sizeof values_));
}

TEST_F(CoreTest, AnUnknownModelIsNotFound) { EXPECT_EQ(Submit().status().code(), StatusCode::kNotFound); }

TEST_F(CoreTest, AnUnloadedModelIsNotFound) {
  Unload(Load("echo", Spec()));
  EXPECT_EQ(Submit().status().code(), StatusCode::kNotFound);
}

TEST_F(CoreTest, AnErrorOfExecuteAnswersEachRequestOfTheBatch) {
  ModelSpec spec = Spec(true, kSecond);
  spec.scheduling.batching.preferred_batch_sizes = {3};
  auto model = Load("fails", spec);
  std::vector<std::shared_ptr<CallBridge>> calls;
  for (int i = 0; i < 3; ++i) calls.push_back(Submit().value());
  for (const auto& call : calls) {
    const auto response = Answer(call);
    EXPECT_EQ(response->error().code(), StatusCode::kUnavailable);
    EXPECT_THAT(response->error().message(), HasSubstr("not today"));
  }
  EXPECT_EQ(model->statistics().fail.count, 3u);
  EXPECT_EQ(model->in_flight(), 0u);
  Unload(std::move(model));
}

TEST_F(CoreTest, SomethingThrownByExecuteIsAnError) {
  auto model = Load("throws", Spec());
  EXPECT_EQ(Answer(Submit().value())->error().code(), StatusCode::kInternal);
  Unload(std::move(model));
}

TEST_F(CoreTest, ASecondReleaseIsRefused) {
  auto model = Load("releases_twice", Spec());
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Answer(Submit().value())->error().ok());
  EXPECT_EQ(model->in_flight(), 0u);
  Unload(std::move(model));
}

TEST_F(CoreTest, AnInstanceThatFailsToInitializeFailsTheStart) {
  auto model = Create("fails_to_initialize", Spec());
  const Status status = model->Start(Spec());
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("no weights"));
}

TEST_F(CoreTest, ABackendThatReportsZerosHasSaneQueueTimes) {
  auto model = Load("echo", Spec());
  for (int i = 0; i < 10; ++i) Answer(Submit().value());
  EXPECT_LT(model->statistics().queue.ns, 10 * kSecond);
  EXPECT_EQ(model->statistics().success.count, 10u);
  Unload(std::move(model));
}

TEST_F(CoreTest, ABackendThatReportsNothingHasItsRequestsInTheLogAllTheSame) {
  auto model = Load("reports_nothing", Spec());
  for (int i = 0; i < 10; ++i) Answer(Submit().value());
  const auto events = EventsOf(EventKind::kRequest);
  ASSERT_EQ(events.size(), 10u);
  for (const Event& event : events) {
    EXPECT_LE(event.arrival_ns, event.start_ns);
    EXPECT_LE(event.start_ns, event.end_ns);
    EXPECT_LT(event.end_ns - event.arrival_ns, 10 * kSecond);
  }
  EXPECT_EQ(model->statistics().queue.ns, 0u);
  Unload(std::move(model));
}

TEST_F(CoreTest, TheLogSaysWhyABatchWasFormed) {
  ModelSpec spec = Spec(true, kSecond);
  auto model = Load("echo", spec);
  std::vector<std::shared_ptr<CallBridge>> calls;
  for (int i = 0; i < 8; ++i) calls.push_back(Submit().value());
  for (const auto& call : calls) Answer(call);
  Unload(std::move(model));
  const auto batches = EventsOf(EventKind::kBatch);
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_EQ(batches[0].rows, 8);
  EXPECT_EQ(static_cast<BatchReason>(batches[0].detail), BatchReason::kFull);
}

TEST_F(CoreTest, ACancelledRequestThatWaitsIsAnsweredAsCancelled) {
  auto model = Load("echo", Spec(true, 3600 * kSecond));
  auto call = Submit().value();
  call->Cancel();
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(Submit().ok());
  EXPECT_EQ(Answer(call)->error().code(), StatusCode::kCancelled);
  Unload(std::move(model));
}

TEST_F(CoreTest, UnloadingAnswersWhatWaits) {
  auto model = Load("echo", Spec(true, 3600 * kSecond));
  auto call = Submit().value();
  Unload(std::move(model));
  EXPECT_TRUE(Answer(call)->error().ok());
}

TEST_F(CoreTest, AShorterDelayAppliesWithoutAReload) {
  auto model = Load("echo", Spec(true, 3600 * kSecond));
  auto call = Submit().value();
  model->Reconfigure({{true, 8, 1000, {}}, {}, false});
  EXPECT_TRUE(Answer(call)->error().ok());
  Unload(std::move(model));
}

TEST_F(CoreTest, ReloadsUnderLoadLoseNoRequest) {
  std::atomic<bool> is_stopping{false};
  std::atomic<uint64_t> answered{0};
  auto model = Load("echo", Spec(true, 0, 2));
  std::vector<std::thread> senders;
  for (int i = 0; i < 4; ++i) {
    senders.emplace_back([&] {
      while (!is_stopping) {
        auto call = Submit();
        ASSERT_TRUE(call.ok()) << call.status().message();
        ASSERT_TRUE(Answer(*call)->error().ok());
        ++answered;
      }
    });
  }
  for (int reload = 0; reload < 20; ++reload) {
    auto next =
        Load(reload % 2 == 0 ? "reports_nothing" : "echo", Spec(reload % 3 == 0, 100'000, 1 + reload % 3));
    EXPECT_TRUE(model->Drain(10 * kSecond));
    EXPECT_TRUE(model->Close().ok());
    model = std::move(next);
    const uint64_t before = answered;
    while (answered < before + 50) std::this_thread::yield();
  }
  is_stopping = true;
  for (std::thread& sender : senders) sender.join();
  EXPECT_EQ(model->in_flight(), 0u);
  Unload(std::move(model));
}

TEST_F(CoreTest, TenThousandRequestsInFlightAreEachAnsweredOnce) {
  auto model = Load("echo", Spec(true, 3600 * kSecond));
  CallOptions options;
  options.model = "m";
  options.is_queued = true;
  options.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(engine_->Submit(options).ok());
  auto next = Load("echo", Spec(true, 0, 2));
  size_t done = 0;
  while (done < 10'000) {
    const auto calls = engine_->Completed(10 * kSecond);
    ASSERT_FALSE(calls.empty()) << done;
    for (const auto& call : calls) EXPECT_TRUE(call->Take(0)->error().ok());
    done += calls.size();
  }
  EXPECT_TRUE(engine_->Completed(0).empty());
  EXPECT_TRUE(model->Drain(kSecond));
  model.reset();
  Unload(std::move(next));
}

TEST_F(CoreTest, WhatIsAllocatedForAnswersIsGivenBack) {
  auto model = Load("echo", Spec());
  for (int i = 0; i < 100; ++i) Answer(Submit().value());
  EXPECT_EQ(engine_->Pools()[0].live_byte_size, 0u);
  EXPECT_EQ(engine_->Pools()[0].allocations, 100u);
  Unload(std::move(model));
}

TEST(ServerTest, WithoutAControlPlaneTheServerSaysWhatToDo) {
  TRITONSERVER_ServerOptions* options = nullptr;
  ASSERT_EQ(TRITONSERVER_ServerOptionsNew(&options), nullptr);
  TRITONSERVER_Server* server = nullptr;
  TRITONSERVER_Error* const error = TRITONSERVER_ServerNew(&server, options);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(TRITONSERVER_ErrorCode(error), TRITONSERVER_ERROR_UNAVAILABLE);
  EXPECT_THAT(TRITONSERVER_ErrorMessage(error), HasSubstr("import workbench"));
  TRITONSERVER_ErrorDelete(error);
  TRITONSERVER_ServerOptionsDelete(options);
}

}  // namespace
}  // namespace workbench
