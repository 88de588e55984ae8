// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the scheduler of sequences: a model's part, an instance that executes when it is told to, and
// senders.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "inference/testing.h"
#include "scheduling/sequence/sequence_scheduler.h"
#include "testing/counting_resource.h"
#include "testing/fake_timer.h"
#include "testing/recording_sink.h"

namespace workbench {

constexpr uint64_t kMs = 1'000'000;
constexpr uint32_t kNone = 0;
constexpr uint32_t kStart = 1;
constexpr uint32_t kEnd = 2;
using Strategy = SequenceOptions::Strategy;
using Texts = std::vector<std::string>;

// A model's part: tells the scheduler of what is released.
class SequenceTarget final : public InferenceTarget {
 public:
  SequenceTarget() {
    signature_.name = "m";
    signature_.max_batch_size = 4;
    signature_.inputs.push_back({"IN", DataType::kInt32, {-1}, false, {}, false, false, false});
    signature_.outputs.push_back({"OUT", DataType::kInt32, {-1}, false, {}, false, false, false});
  }
  const ModelSignature& signature() const override { return signature_; }
  void AddReference() override {}
  void RemoveReference() override {}
  void OnRequestReleased(InferenceRequest* request, uint32_t) override {
    if (request->sequence != nullptr) scheduler->OnReleased(request);
  }
  Status Reschedule(InferenceRequest* request) override { return scheduler->Reschedule(request); }
  void AddInFlight() override { ++nulls; }
  void RemoveInFlight() override {}

  SequenceScheduler* scheduler = nullptr;
  int nulls = 0;

 private:
  ModelSignature signature_;
};

// What a backend would see of a request: its values and controls, "-" for a null request.
inline std::string SeenOf(InferenceRequest* request) {
  if (request->is_null()) return "-";
  std::string text = request->correlation_text().empty() ? std::to_string(request->correlation_id())
                                                         : request->correlation_text();
  if ((request->flags() & kStart) != 0) text += "S";
  if ((request->flags() & kEnd) != 0) text += "E";
  return text;
}

// An instance that executes when it is told to, or at once.
class Runner final : public BatchRunner {
 public:
  void WakeOne() override {}
  void Wake(uint32_t instance) override {
    woken.push_back(instance);
    if (!is_busy) RunAll(instance);
  }
  bool Run(uint32_t instance = 0) {
    if (!scheduler->Take(instance, &batch)) return false;
    Texts seen;
    for (InferenceRequest* request : batch.requests) seen.push_back(SeenOf(request));
    batches.push_back(seen);
    reasons.push_back(batch.reason);
    ran_on.push_back(instance);
    if (!holds) ReleaseAll();
    return true;
  }
  void RunAll(uint32_t instance = 0) {
    while (Run(instance) && !holds) {
    }
  }
  void ReleaseAll() {
    const std::vector<InferenceRequest*> requests = batch.requests;
    for (InferenceRequest* request : requests) {
      if (!request->is_null() && on_execute) on_execute(request);
      InferenceRequest::Release(RequestPtr(request), 1);
    }
  }

  SequenceScheduler* scheduler = nullptr;
  bool is_busy = false;
  bool holds = false;  // executions last until ReleaseAll
  Batch batch;
  std::vector<Texts> batches;
  std::vector<BatchReason> reasons;
  std::vector<uint32_t> ran_on;
  std::vector<uint32_t> woken;
  std::function<void(InferenceRequest*)> on_execute;
};

class SequenceSchedulerTest : public ::testing::Test {
 protected:
  SchedulingOptions Options(Strategy strategy) {
    SchedulingOptions options;
    options.batching.max_batch_size = 4;
    options.sequence.strategy = strategy;
    return options;
  }
  void Start(SchedulingOptions options, std::vector<uint32_t> instances = {0}) {
    SequenceScheduler::Context context;
    context.clock = &clock_;
    context.timer = &timer_;
    context.runner = &runner_;
    context.memory = &memory_;
    context.instances = std::move(instances);
    context.is_batched = true;
    context.events = &sink_;
    context.model_number = 7;
    scheduler_ = std::make_unique<SequenceScheduler>(std::move(options), context);
    runner_.scheduler = target_.scheduler = scheduler_.get();
  }
  RequestPtr NewRequest(uint64_t id, uint32_t flags) {
    RequestPtr request = sender_.NewRequest(&target_, clock_.NowNs());
    request->set_correlation_id(id);
    request->set_flags(flags);
    request->shape_signature = 0;
    return request;
  }
  Status Send(RequestPtr request) {
    auto refusal = scheduler_->Enqueue(std::move(request));
    return refusal ? refusal->reason : OkStatus();
  }
  // Returns the request, which is borrowed.
  InferenceRequest* Send(uint64_t id, uint32_t flags) {
    RequestPtr request = NewRequest(id, flags);
    InferenceRequest* const raw = request.get();
    const Status status = Send(std::move(request));
    EXPECT_TRUE(status.ok()) << status.message();
    return raw;
  }
  StatusCode Refuse(uint64_t id, uint32_t flags) { return Send(NewRequest(id, flags)).code(); }

  FakeClock clock_;
  FakeTimer timer_{clock_};
  CountingResource memory_;
  RecordingSink sink_;
  SequenceTarget target_;
  FakeSender sender_;
  Runner runner_;
  std::unique_ptr<SequenceScheduler> scheduler_;
};

// The one value of an input.
template <typename T>
T ValueOf(InferenceRequest* request, const char* name) {
  T value{};
  const RequestInput* const input = request->FindInput(name);
  EXPECT_NE(input, nullptr) << name;
  if (input == nullptr) return value;
  EXPECT_EQ(input->byte_size, sizeof(T)) << name;
  EXPECT_EQ(input->shape, (std::vector<int64_t>{1, 1})) << name;
  std::memcpy(&value, input->buffers[0].base, sizeof value);
  return value;
}

// A state of one number, named SUM_IN and SUM_OUT.
inline StateSpec Sum() {
  StateSpec spec;
  spec.input.name = "SUM_IN";
  spec.input.type = DataType::kInt32;
  spec.input.dims = {1};
  spec.output_name = "SUM_OUT";
  spec.initial_dims = {1};
  return spec;
}

// Adds one to the state for each request; what it was before goes to `seen`.
inline void Count(InferenceRequest* request, Texts* seen) {
  const int32_t before = ValueOf<int32_t>(request, "SUM_IN");
  seen->push_back(std::to_string(request->correlation_id()) + ":" + std::to_string(before));
  SequenceState* const state = request->states->FindOutput("SUM_OUT");
  const int64_t shape[] = {1, 1};
  state->Declare(DataType::kInt32, shape, 2);
  const int32_t after = before + 1;
  std::memcpy(const_cast<void*>(state->Allocate(sizeof after).value()->base), &after, sizeof after);
  EXPECT_TRUE(state->Update().ok());
}

}  // namespace workbench
