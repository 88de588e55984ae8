// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Sequences through the core as a whole: the shared object, with backends opened from files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <thread>

#include "engine/bridge.h"
#include "triton/core/tritonserver.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kMs = 1'000'000;
constexpr uint32_t kStart = TRITONSERVER_REQUEST_FLAG_SEQUENCE_START;
constexpr uint32_t kEnd = TRITONSERVER_REQUEST_FLAG_SEQUENCE_END;
using Strategy = SequenceOptions::Strategy;

ControlSpec Control(ControlSpec::Kind kind, const char* name) {
  ControlSpec spec;
  spec.kind = kind;
  spec.input.name = name;
  spec.input.type = DataType::kInt32;
  if (kind == ControlSpec::Kind::kCorrelationId) return spec;
  spec.false_bytes.assign(4, '\0');
  spec.true_bytes = std::string("\1\0\0\0", 4);
  return spec;
}

StateSpec Sum() {
  StateSpec state;
  state.input.name = "SUM_IN";
  state.input.type = DataType::kInt32;
  state.input.dims = {1};
  state.output_name = "SUM_OUT";
  state.initial_dims = {1};
  return state;
}

// What a backend told of one execution of a request.
struct Seen {
  int32_t sum = 0;
  int32_t start = 0, end = 0, ready = 0, id = 0, place = 0, ready_count = 0;
};

class SequenceCoreTest : public ::testing::Test {
 protected:
  SequenceCoreTest() : engine_(TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine({}).value()) {}

  static ModelSpec Spec(Strategy strategy, int instances = 1) {
    ModelSpec spec;
    spec.signature.name = "m";
    spec.signature.max_batch_size = 4;
    spec.signature.inputs.push_back({"IN", DataType::kInt32, {2}, false, {}, false, false, false});
    spec.signature.outputs.push_back({"OUT", DataType::kInt32, {1}, false, {}, false, false, false});
    spec.signature.outputs.push_back({"SEEN", DataType::kInt32, {6}, false, {}, false, false, false});
    spec.scheduling.batching.max_batch_size = 4;
    SequenceOptions& sequence = spec.scheduling.sequence;
    sequence.strategy = strategy;
    sequence.controls = {Control(ControlSpec::Kind::kStart, "START"), Control(ControlSpec::Kind::kEnd, "END"),
                         Control(ControlSpec::Kind::kReady, "READY"),
                         Control(ControlSpec::Kind::kCorrelationId, "CORRID")};
    sequence.states = {Sum()};
    for (int i = 0; i < instances; ++i)
      spec.instances.push_back({"m_" + std::to_string(i), "CPU", 0, false, ""});
    spec.config_json = "{}";
    return spec;
  }

  std::unique_ptr<ModelBridge> Load(const char* backend, const ModelSpec& spec) {
    auto opened =
        engine_->OpenBackend("test", std::string(WB_TEST_BACKENDS) + "/libtriton_" + backend + ".so", "{}");
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    auto model = engine_->CreateModel(spec, opened->get());
    EXPECT_TRUE((*model)->Initialize().ok());
    const Status status = (*model)->Start(spec);
    EXPECT_TRUE(status.ok()) << status.message();
    engine_->Publish(**model);
    return std::move(*model);
  }
  void Unload(std::unique_ptr<ModelBridge> model) {
    engine_->Retire(*model);
    EXPECT_TRUE(model->Drain(10 * kSecond));
    EXPECT_TRUE(model->Close().ok());
  }

  Result<std::shared_ptr<CallBridge>> Submit(uint64_t id, uint32_t flags, int32_t value,
                                             int32_t hold_ms = 0) {
    // Borrowed until the answer: each call has its own.
    values_.push_back({value, hold_ms});
    CallOptions options;
    options.model = "m";
    options.correlation_id = id;
    options.flags = flags;
    options.inputs.push_back({"IN", DataType::kInt32, {1, 2}, values_.back().data(), 2 * sizeof(int32_t)});
    return engine_->Submit(options);
  }
  static Seen Read(const ResponseBridge& response) {
    Seen seen;
    for (const TensorOutput& output : response.outputs()) {
      std::memcpy(output.name == "OUT" ? &seen.sum : &seen.start, output.base, output.byte_size);
    }
    return seen;
  }
  static Seen Wait(const std::shared_ptr<CallBridge>& call) {
    EXPECT_TRUE(call->Wait(10 * kSecond));
    const auto response = call->Take(0);
    EXPECT_TRUE(response != nullptr && response->error().ok());
    return response != nullptr && response->error().ok() ? Read(*response) : Seen();
  }
  Seen Infer(uint64_t id, uint32_t flags, int32_t value) {
    auto call = Submit(id, flags, value);
    EXPECT_TRUE(call.ok()) << call.status().message();
    return call.ok() ? Wait(*call) : Seen();
  }
  std::vector<Event> EventsOf(EventKind kind) {
    std::vector<Event> found;
    for (const Event& event : engine_->ReadEvents(0, 1 << 20).events) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }

  std::deque<std::array<int32_t, 2>> values_;
  std::unique_ptr<EngineBridge> engine_;
};

TEST_F(SequenceCoreTest, InterleavedSequencesNeverSeeEachOther) {
  for (const char* backend : {"accumulates", "remembers"}) {
    auto model = Load(backend, Spec(Strategy::kDirect));
    for (uint64_t id = 1; id <= 3; ++id) EXPECT_EQ(Infer(id, kStart, 10).sum, 10);
    for (int round = 1; round <= 5; ++round) {
      for (uint64_t id = 1; id <= 3; ++id)
        EXPECT_EQ(Infer(id, 0, static_cast<int32_t>(id)).sum, 10 + round * static_cast<int32_t>(id));
    }
    for (uint64_t id = 1; id <= 3; ++id) Infer(id, kEnd, 0);
    EXPECT_EQ(Infer(1, kStart, 7).sum, 7);
    Unload(std::move(model));
  }
}

TEST_F(SequenceCoreTest, ABackendSeesTheControls) {
  auto model = Load("remembers", Spec(Strategy::kOldest));
  const Seen first = Infer(42, kStart, 1);
  EXPECT_THAT((std::vector<int32_t>{first.start, first.end, first.ready, first.id}),
              ElementsAre(1, 0, 1, 42));
  const Seen last = Infer(42, kEnd, 1);
  EXPECT_THAT((std::vector<int32_t>{last.start, last.end, last.ready, last.id}), ElementsAre(0, 1, 1, 42));
  Unload(std::move(model));
}

TEST_F(SequenceCoreTest, DirectKeepsASequenceInItsPlace) {
  auto model = Load("accumulates", Spec(Strategy::kDirect));
  for (uint64_t id = 1; id <= 4; ++id) EXPECT_EQ(Infer(id, kStart, 1).place, static_cast<int32_t>(id - 1));
  for (uint64_t id = 4; id >= 1; --id) {
    const Seen seen = Infer(id, 0, 1);
    EXPECT_EQ(seen.place, static_cast<int32_t>(id - 1));
    EXPECT_EQ(seen.ready_count, 1);
    EXPECT_EQ(seen.sum, 2);
  }
  Unload(std::move(model));
}

TEST_F(SequenceCoreTest, NullRequestsAreNotCounted) {
  auto model = Load("accumulates", Spec(Strategy::kDirect));
  for (uint64_t id = 1; id <= 4; ++id) Infer(id, kStart, 1);
  Infer(4, 0, 1);
  EXPECT_EQ(model->statistics().success.count, 5u);
  EXPECT_EQ(model->statistics().inference_count, 5u);
  EXPECT_EQ(EventsOf(EventKind::kRequest).size(), 5u);
  EXPECT_EQ(EventsOf(EventKind::kBatch).size(), 0u);
  EXPECT_EQ(model->in_flight(), 0u);
  for (const Event& event : EventsOf(EventKind::kRequest)) {
    EXPECT_EQ(event.count, 1);
    EXPECT_EQ(static_cast<BatchReason>(event.detail), BatchReason::kSequence);
  }
  Unload(std::move(model));
}

TEST_F(SequenceCoreTest, SequencesThatWaitRunTogether) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    auto model = Load("remembers", Spec(strategy));
    auto hold = Submit(9, kStart | kEnd, 0, 200).value();
    while (model->queue_length() > 0) std::this_thread::yield();
    std::vector<std::shared_ptr<CallBridge>> calls;
    for (uint64_t id = 1; id <= 3; ++id) calls.push_back(Submit(id, kStart, 1).value());
    Wait(hold);
    for (const auto& call : calls) EXPECT_EQ(Wait(call).ready_count, 3);
    Unload(std::move(model));
  }
}

TEST_F(SequenceCoreTest, ACancelledStartFreesItsSlotOnce) {
  ModelSpec spec = Spec(Strategy::kOldest);
  spec.scheduling.sequence.max_candidate_sequences = 2;
  spec.scheduling.sequence.max_idle_ns = 20 * kMs;
  auto model = Load("remembers", spec);
  auto hold = Submit(9, kStart | kEnd, 0, 100).value();
  auto cancelled = Submit(1, kStart, 100).value();
  cancelled->Cancel();
  EXPECT_TRUE(cancelled->Wait(10 * kSecond));
  EXPECT_EQ(cancelled->Take(0)->error().code(), StatusCode::kCancelled);
  Wait(hold);
  Wait(Submit(8, kStart | kEnd, 0, 60).value());  // longer than a sequence may be idle
  EXPECT_EQ(Submit(1, 0, 1).status().code(), StatusCode::kInvalidArgument);
  model->Reconfigure([&] {
    spec.scheduling.sequence.max_idle_ns = 60 * kSecond;
    return spec.scheduling;
  }());
  Infer(2, kStart, 0);
  Infer(3, kStart, 0);
  for (int32_t i = 1; i <= 10; ++i) {
    EXPECT_EQ(Infer(2, 0, 1).sum, i);
    EXPECT_EQ(Infer(3, 0, 10).sum, 10 * i);
  }
  auto third = Submit(4, kStart, 0).value();
  EXPECT_FALSE(third->Wait(20 * kMs)) << "two slots are taken";
  Infer(2, kEnd, 0);
  Wait(third);
  Unload(std::move(model));
}

TEST_F(SequenceCoreTest, AStateKeepsTheShapeOfItsInitialState) {
  ModelSpec spec = Spec(Strategy::kDirect);
  spec.signature.max_batch_size = 0;
  spec.scheduling.batching.max_batch_size = 1;
  StateSpec& state = spec.scheduling.sequence.states[0];
  state.input.name = "IN_STATE";
  state.input.dims = {1, 32, -1, 1};
  state.initial_dims = {1, 32, 2, 1};
  state.initial_bytes.assign(64 * sizeof(int32_t), '\1');
  spec.signature.inputs = {{"IN", DataType::kFp32, {4}, false, {}, false, false, false}};
  spec.signature.outputs = {{"OUT", DataType::kInt32, {-1}, false, {}, false, false, false}};
  auto model = Load("tells_shape", spec);
  CallOptions options;
  options.model = "m";
  options.correlation_id = 1;
  options.flags = kStart;
  const float values[4] = {};
  options.inputs.push_back({"IN", DataType::kFp32, {4}, values, sizeof values});
  auto call = engine_->Submit(options).value();
  ASSERT_TRUE(call->Wait(10 * kSecond));
  const auto response = call->Take(0);
  ASSERT_TRUE(response->error().ok()) << response->error().message();
  const TensorOutput output = response->outputs()[0];
  const auto* const shape = static_cast<const int32_t*>(output.base);
  EXPECT_THAT(std::vector<int32_t>(shape, shape + output.byte_size / sizeof *shape),
              ElementsAre(1, 32, 2, 1));
  Unload(std::move(model));
}

TEST_F(SequenceCoreTest, ARequestIsExecutedAgainAndAnsweredEachTime) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    ModelSpec spec = Spec(strategy);
    spec.signature.is_decoupled = true;
    spec.scheduling.sequence.is_iterative = true;
    spec.scheduling.sequence.controls.pop_back();
    auto model = Load("iterates", spec);
    std::vector<std::shared_ptr<CallBridge>> calls;
    for (int32_t times = 1; times <= 6; ++times) calls.push_back(Submit(0, 0, times).value());
    for (int32_t times = 1; times <= 6; ++times) {
      const auto& call = calls[static_cast<size_t>(times) - 1];
      ASSERT_TRUE(call->Wait(10 * kSecond));
      for (int32_t i = 1; i <= times; ++i) EXPECT_EQ(Read(*call->Take(0)).sum, i);
      EXPECT_TRUE(call->is_exhausted());
    }
    EXPECT_EQ(model->in_flight(), 0u);
    EXPECT_EQ(model->statistics().success.count, 21u);
    Unload(std::move(model));
  }
}

TEST_F(SequenceCoreTest, ReschedulingWithoutIterativeSequencesIsRefused) {
  ModelSpec spec = Spec(Strategy::kOldest);
  auto model = Load("reschedules", spec);
  auto call = Submit(1, kStart | kEnd, 1).value();
  ASSERT_TRUE(call->Wait(10 * kSecond));
  EXPECT_EQ(call->Take(0)->error().code(), StatusCode::kInvalidArgument);
  Unload(std::move(model));
}

TEST_F(SequenceCoreTest, AnErrorOfExecuteAnswersTheRequestsAndDropsTheNullOnes) {
  auto model = Load("fails", Spec(Strategy::kDirect));
  for (uint64_t id = 1; id <= 3; ++id) {
    auto call = Submit(id, kStart, 1).value();
    ASSERT_TRUE(call->Wait(10 * kSecond));
    EXPECT_EQ(call->Take(0)->error().code(), StatusCode::kUnavailable);
  }
  EXPECT_EQ(model->statistics().fail.count, 3u);
  EXPECT_EQ(model->in_flight(), 0u);
  Unload(std::move(model));
}

TEST_F(SequenceCoreTest, ManySequencesFromManyThreadsEachGetTheirOwnSum) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    auto model = Load("remembers", Spec(strategy, 2));
    std::vector<std::thread> senders;
    std::atomic<int> wrong{0};
    for (uint64_t sender = 1; sender <= 4; ++sender) {
      senders.emplace_back([&, sender] {
        for (int32_t round = 0; round < 50; ++round) {
          const uint64_t id = sender + 4 * static_cast<uint64_t>(round % 3);
          std::vector<std::shared_ptr<CallBridge>> calls;
          std::array<std::array<int32_t, 2>, 5> inputs{};
          for (int32_t i = 0; i < 5; ++i) {
            inputs[static_cast<size_t>(i)] = {i + 1, 0};
            CallOptions options;
            options.model = "m";
            options.correlation_id = id;
            options.flags = (i == 0 ? kStart : 0) | (i == 4 ? kEnd : 0);
            options.inputs.push_back({"IN", DataType::kInt32, {1, 2}, &inputs[static_cast<size_t>(i)], 8});
            calls.push_back(engine_->Submit(options).value());
          }
          int32_t sum = 0;
          for (int32_t i = 0; i < 5; ++i) {
            sum += i + 1;
            if (Wait(calls[static_cast<size_t>(i)]).sum != sum) ++wrong;
          }
        }
      });
    }
    for (std::thread& sender : senders) sender.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(model->in_flight(), 0u);
    EXPECT_EQ(model->statistics().success.count, 1000u);
    Unload(std::move(model));
  }
}

}  // namespace
}  // namespace workbench
