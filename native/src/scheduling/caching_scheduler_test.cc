// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/caching_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "inference/testing.h"
#include "scheduling/cache_key.h"
#include "scheduling/local_cache.h"
#include "testing/fake_clock.h"
#include "testing/recording_sink.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// Keeps requests until a test answers them.
class HeldScheduler final : public Scheduler {
 public:
  std::optional<Refusal> Enqueue(RequestPtr request) override {
    if (is_full) return Refusal{UnavailableError("full"), std::move(request)};
    held.push_back(std::move(request));
    return std::nullopt;
  }
  bool Take(uint32_t, Batch*) override { return false; }
  bool has_ready(uint32_t) const override { return false; }
  size_t queue_length() const override { return held.size(); }
  void Reconfigure(SchedulingOptions) override {}
  void Flush() override {}
  void Stop() override {}

  // The oldest request is answered with its input, or an error.
  void Answer(Status error = OkStatus()) {
    RequestPtr request = std::move(held.front());
    held.pop_front();
    InferenceResponse::Ptr response = request->NewResponse();
    const RequestInput& input = request->input(0);
    for (size_t i = 0; i < request->output_count() && error.ok(); ++i) {
      auto output = response->AddOutput(request->output(i).name.c_str(), input.type, input.shape.data(),
                                        input.shape.size());
      ASSERT_TRUE((*output)->Allocate(input.byte_size, MemoryPlace()).ok());
      std::memcpy((*output)->buffer().base, input.buffers[0].base, input.byte_size);
    }
    InferenceResponse::Send(std::move(response), kResponseFinal, std::move(error));
    InferenceRequest::Release(std::move(request), 1);
  }

  bool is_full = false;
  std::deque<RequestPtr> held;
};

class CachingSchedulerTest : public ::testing::Test {
 protected:
  CachingSchedulerTest() {
    ModelSignature& signature = target_.mutable_signature();
    signature.inputs[0].dims = {-1, -1};
    signature.outputs.push_back({"OUT2", DataType::kFp32, {-1, -1}});
    signature.max_batch_size = 0;
    Make(false);
  }

  // Every request that was taken is answered, as schedulers do.
  ~CachingSchedulerTest() override {
    while (!inner_->held.empty()) inner_->Answer();
  }

  void Make(bool preserve_ordering) {
    auto inner = std::make_unique<HeldScheduler>();
    inner_ = inner.get();
    scheduler_ = std::make_unique<CachingScheduler>(
        CachingScheduler::Options{1, 3, preserve_ordering}, std::move(inner), cache_,
        CachingScheduler::Context{&statistics_, &events_, &clock_});
  }

  // Four numbers in that shape.
  RequestPtr Request(std::vector<int64_t> shape = {1, 4}, const float* values = nullptr,
                     const char* output = nullptr) {
    RequestPtr request = sender_.NewRequest(&target_, clock_.NowNs());
    const float* const bytes = values != nullptr ? values : values_;
    EXPECT_TRUE(request->AddInput("IN", DataType::kFp32, shape.data(), shape.size()).ok());
    EXPECT_TRUE(request->AppendInputData("IN", bytes, sizeof values_, MemoryPlace()).ok());
    if (output != nullptr) EXPECT_TRUE(request->AddRequestedOutput(output).ok());
    EXPECT_TRUE(request->Prepare().ok());
    return request;
  }

  // Whether the request was answered at once.
  bool IsHit(RequestPtr request) {
    const size_t before = inner_->held.size();
    EXPECT_FALSE(scheduler_->Enqueue(std::move(request)));
    return inner_->held.size() == before;
  }

  float values_[4] = {1, 2, 3, 4};
  float others_[4] = {1, 2, 3, 5};
  FakeTarget target_;
  FakeSender sender_;
  FakeClock clock_;
  RecordingSink events_;
  ModelStatistics statistics_;
  std::shared_ptr<LocalCache> cache_ = std::make_shared<LocalCache>(1 << 20);  // with the scheduler
  HeldScheduler* inner_ = nullptr;
  std::unique_ptr<CachingScheduler> scheduler_;
};

TEST_F(CachingSchedulerTest, WhatWasAskedBeforeIsAnsweredAtOnce) {
  EXPECT_FALSE(IsHit(Request()));
  inner_->Answer();
  EXPECT_TRUE(IsHit(Request()));
  EXPECT_THAT(sender_.answers, SizeIs(2));
  EXPECT_EQ(sender_.released, 2);
  EXPECT_EQ(sender_.allocator.live, 0);
}

TEST_F(CachingSchedulerTest, AHitCountsSuccessQueueAndHitAndNoComputing) {
  EXPECT_FALSE(IsHit(Request()));
  inner_->Answer();
  for (int i = 0; i < 9; ++i) EXPECT_TRUE(IsHit(Request()));
  StatisticsSnapshot counts;
  statistics_.AddTo(&counts);
  EXPECT_EQ(counts.success.count, 9u);
  EXPECT_EQ(counts.queue.count, 9u);
  EXPECT_EQ(counts.cache_hit.count, 9u);
  EXPECT_EQ(counts.cache_miss.count, 1u);
  EXPECT_EQ(counts.compute_infer.count, 0u);
  EXPECT_EQ(counts.inference_count, 0u);
  EXPECT_EQ(counts.execution_count, 0u);
}

TEST_F(CachingSchedulerTest, AHitIsAnEventOfItsOwnReason) {
  EXPECT_FALSE(IsHit(Request()));
  inner_->Answer();
  EXPECT_TRUE(IsHit(Request()));
  const auto requests = events_.OfKind(EventKind::kRequest);
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(static_cast<BatchReason>(requests[0].detail), BatchReason::kCached);
  EXPECT_EQ(requests[0].count, 0);
  EXPECT_EQ(requests[0].model, 3);
}

TEST_F(CachingSchedulerTest, TheSameBytesInAnotherShapeAreAnotherRequest) {
  EXPECT_FALSE(IsHit(Request({1, 4})));
  inner_->Answer();
  EXPECT_FALSE(IsHit(Request({2, 2})));
}

TEST_F(CachingSchedulerTest, OtherOutputsAreAnotherRequest) {
  EXPECT_FALSE(IsHit(Request({1, 4}, values_, "OUT")));
  inner_->Answer();
  EXPECT_FALSE(IsHit(Request({1, 4})));
  inner_->Answer();
  EXPECT_FALSE(IsHit(Request({1, 4}, values_, "OUT2")));
  inner_->Answer();
  EXPECT_TRUE(IsHit(Request({1, 4}, values_, "OUT")));
}

TEST_F(CachingSchedulerTest, OneOtherByteIsAnotherRequest) {
  EXPECT_FALSE(IsHit(Request()));
  inner_->Answer();
  EXPECT_FALSE(IsHit(Request({1, 4}, others_)));
}

TEST_F(CachingSchedulerTest, OtherParametersAreAnotherRequest) {
  EXPECT_FALSE(IsHit(Request()));
  inner_->Answer();
  RequestPtr request = Request();
  Parameter& parameter = request->AddParameter();
  parameter.name = "temperature";
  parameter.type = ParameterType::kDouble;
  parameter.real = 0.5;
  EXPECT_FALSE(IsHit(std::move(request)));
}

TEST_F(CachingSchedulerTest, TheSameBytesInTwoBuffersAreTheSameRequest) {
  EXPECT_FALSE(IsHit(Request()));
  inner_->Answer();
  RequestPtr request = Request();
  ASSERT_TRUE(request->RemoveInputData("IN").ok());
  ASSERT_TRUE(request->AppendInputData("IN", values_, 6, MemoryPlace()).ok());
  ASSERT_TRUE(request->AppendInputData("IN", reinterpret_cast<char*>(values_) + 6, 10, MemoryPlace()).ok());
  EXPECT_TRUE(IsHit(std::move(request)));
}

TEST_F(CachingSchedulerTest, AnErrorIsNotKept) {
  EXPECT_FALSE(IsHit(Request()));
  inner_->Answer(InternalError("not today"));
  EXPECT_FALSE(IsHit(Request()));
}

TEST_F(CachingSchedulerTest, ARefusedRequestIsHandedBackAsItCame) {
  inner_->is_full = true;
  RequestPtr request = Request();
  const ResponseDelivery before = request->delivery();
  const auto refusal = scheduler_->Enqueue(std::move(request));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->request->delivery().complete, before.complete);
  EXPECT_EQ(refusal->request->delivery().userp, before.userp);
}

TEST_F(CachingSchedulerTest, WithOrderAHitWaitsForWhatWasAskedBefore) {
  Make(true);
  EXPECT_FALSE(IsHit(Request()));
  inner_->Answer();
  EXPECT_FALSE(IsHit(Request({2, 2})));
  EXPECT_TRUE(IsHit(Request()));
  EXPECT_THAT(sender_.answers, SizeIs(1));
  inner_->Answer();
  EXPECT_THAT(sender_.answers, SizeIs(3));
}

TEST_F(CachingSchedulerTest, WithOrderARefusedRequestHoldsNobodyBack) {
  Make(true);
  inner_->is_full = true;
  EXPECT_TRUE(scheduler_->Enqueue(Request()));
  inner_->is_full = false;
  EXPECT_FALSE(IsHit(Request()));
  inner_->Answer();
  EXPECT_THAT(sender_.answers, SizeIs(1));
}

}  // namespace
}  // namespace workbench
