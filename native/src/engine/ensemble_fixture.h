// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: drawn ensembles, and the server's own EnsembleRun over dynamic schedulers run through one under
// a fake clock. What simulates it has to tell the same story.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/ensemble_run.h"
#include "inference/testing.h"
#include "scheduling/dynamic_scheduler.h"
#include "sim/simulated_ensemble.h"
#include "testing/fake_timer.h"
#include "testing/recording_sink.h"

namespace workbench {

struct Arrival {
  uint64_t at_ns;
  uint32_t rows;
  uint64_t priority;
};

// An ensemble of random shape over models of random configuration, and its requests.
struct Scenario {
  SimulatedEnsemble::Options options;
  std::vector<Arrival> arrivals;
};

// What became of a request: when, and whether it was answered.
struct Outcome {
  uint64_t at_ns = 0;
  bool is_answered = false;
  bool operator==(const Outcome& other) const {
    return at_ns == other.at_ns && is_answered == other.is_answered;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << outcome.at_ns << (outcome.is_answered ? " ns" : " ns, refused");
}

// Batches of a model, by rows and reason.
using Batches = std::map<std::pair<uint32_t, BatchReason>, uint64_t>;

struct Story {
  std::vector<Outcome> outcomes;  // by request
  std::vector<uint64_t> order;    // in which requests came to their end
  std::vector<Batches> batches;   // by model
};

constexpr uint32_t kMostRows = 4;

inline SimulatedModel::Options DrawModel(std::mt19937_64* random) {
  const auto below = [&](uint64_t bound) { return (*random)() % bound; };
  SimulatedModel::Options model;
  model.batching.is_dynamic = below(5) != 0;
  model.batching.max_batch_size = static_cast<uint32_t>(kMostRows + below(5));
  model.batching.max_queue_delay_ns = below(2) == 0 ? 0 : below(1'500'000);
  for (uint64_t n = below(3); n > 0; --n) {
    model.batching.preferred_batch_sizes.push_back(
        static_cast<uint32_t>(1 + below(model.batching.max_batch_size)));
  }
  model.queue.priority_levels = 2;
  model.queue.default_priority_level = 2;
  if (below(3) == 0) model.queue.default_policy.default_timeout_ns = 1 + below(6'000'000);
  if (below(2) == 0) model.queue.default_policy.timeout_action = TimeoutAction::kDelay;
  if (below(4) == 0) model.queue.default_policy.max_queue_size = static_cast<uint32_t>(1 + below(8));
  model.instance_count = static_cast<uint32_t>(1 + below(3));
  uint64_t service_ns = 50'000 + below(1'000'000);
  for (uint32_t rows = 0; rows < model.batching.max_batch_size; ++rows) {
    model.service.service_ns.push_back(service_ns += 1 + below(200'000));
  }
  return model;
}

// Each step takes some of the tensors made before it; what nobody takes is the answer. Models may be shared.
inline Scenario Draw(uint32_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t bound) { return random() % bound; };
  Scenario drawn;
  SimulatedEnsemble::Options& options = drawn.options;
  for (uint64_t n = 1 + below(4); n > 0; --n) options.models.push_back(DrawModel(&random));
  options.inputs = {"in"};
  std::vector<std::string> made = {"in"};
  std::vector<bool> is_taken = {false};
  const uint64_t steps = 1 + below(5);
  for (uint64_t step = 0; step < steps; ++step) {
    const auto model = static_cast<uint32_t>(below(options.models.size()));
    EnsembleStep::Mapping inputs;
    for (const char* name : {"X0", "X1"}) {
      if (!inputs.empty() && below(2) == 0) continue;
      const uint64_t tensor = below(made.size());
      is_taken[tensor] = true;
      inputs.emplace_back(name, made[tensor]);
    }
    made.push_back("t" + std::to_string(step));
    is_taken.push_back(false);
    options.graph.steps.push_back({std::to_string(model), -1, inputs, {{"Y", made.back()}}, false});
    options.model_of_step.push_back(model);
  }
  for (size_t tensor = 1; tensor < made.size(); ++tensor) {
    if (!is_taken[tensor]) options.outputs.push_back(made[tensor]);
  }
  uint64_t at_ns = 1'000'000'000;
  for (int i = 0; i < 40; ++i) {
    at_ns += 1 + below(below(5) == 0 ? 4'000'000 : 500'000);
    drawn.arrivals.push_back(
        {at_ns, below(3) == 0 ? static_cast<uint32_t>(1 + below(kMostRows)) : 1, below(3)});
  }
  return drawn;
}

inline ModelSignature SignatureOf(const std::string& name, uint32_t max_batch_size,
                                  const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& outputs) {
  ModelSignature signature;
  signature.name = name;
  signature.max_batch_size = static_cast<int32_t>(max_batch_size);
  for (const std::string& input : inputs) {
    signature.inputs.push_back({input, DataType::kFp32, {2}, false, {}, true, false, false});
  }
  for (const std::string& output : outputs) {
    signature.outputs.push_back({output, DataType::kFp32, {2}, false, {}, false, false, false});
  }
  return signature;
}

// A model of a step: its scheduler, and instances that take as long as the scenario says.
class ThreadedModel final : public BatchRunner {
 public:
  ThreadedModel(const SimulatedModel::Options& options, const std::string& name, FakeTimer* timer,
                FakeClock* clock, FakeSender::Allocator* allocator)
      : options_(options),
        clock_(*clock),
        allocator_(*allocator),
        instances_(options.instance_count),
        completions_(timer->Subscribe([this](uint64_t) { return OnCompletion(); })) {
    target.mutable_signature() = SignatureOf(name, options.batching.max_batch_size, {"X0", "X1"}, {"Y"});
    SchedulingOptions scheduling;
    scheduling.batching = options.batching;
    scheduling.queue = options.queue;
    scheduler = std::make_unique<DynamicScheduler>(std::move(scheduling), *clock, *timer, *this);
  }
  ~ThreadedModel() override = default;

  void WakeOne() override { TakeAll(); }
  void Wake(uint32_t) override { TakeAll(); }

  FakeTarget target;
  std::unique_ptr<DynamicScheduler> scheduler;
  Batches batches;

 private:
  struct Instance {
    Batch batch;
    bool is_busy = false;
    uint64_t begun = 0;  // counted
    uint64_t end_ns = 0;
  };

  void TakeAll() {
    if (is_taking_) return;  // woken by what Take left: the loop comes to it
    is_taking_ = true;
    for (uint32_t i = 0; i < instances_.size(); ++i) {
      Instance& instance = instances_[i];
      if (instance.is_busy || !scheduler->Take(i, &instance.batch)) continue;
      uint32_t rows = 0;
      for (const InferenceRequest* request : instance.batch.requests) rows += request->rows;
      ++batches[{rows, instance.batch.reason}];
      instance.is_busy = true;
      instance.begun = ++begun_;
      instance.end_ns = clock_.NowNs() + options_.service.service_ns[rows - 1];
      completions_->CallBy(instance.end_ns);
    }
    is_taking_ = false;
  }

  // Answers, in the order in which the executions began; then looks at the queue.
  uint64_t OnCompletion() {
    std::vector<Instance*> ended;
    for (Instance& instance : instances_) {
      if (instance.is_busy && instance.end_ns <= clock_.NowNs()) ended.push_back(&instance);
    }
    std::sort(ended.begin(), ended.end(),
              [](const Instance* a, const Instance* b) { return a->begun < b->begun; });
    for (Instance* instance : ended) {
      std::vector<InferenceRequest*> requests;
      requests.swap(instance->batch.requests);
      for (InferenceRequest* request : requests) Answer(RequestPtr(request));
    }
    for (Instance* instance : ended) instance->is_busy = false;
    TakeAll();
    uint64_t next_ns = Timer::kNever;
    for (const Instance& instance : instances_) {
      if (instance.is_busy) next_ns = std::min(next_ns, instance.end_ns);
    }
    return next_ns;
  }

  void Answer(RequestPtr request) {
    InferenceResponse::Ptr response = request->NewResponse();
    const int64_t shape[] = {request->rows, 2};
    InferenceResponse::Output* const output = response->AddOutput("Y", DataType::kFp32, shape, 2).value();
    EXPECT_TRUE(output->Allocate(8 * request->rows, MemoryPlace()).ok());
    InferenceResponse::Send(std::move(response), 1, OkStatus());
    InferenceRequest::Release(std::move(request), 1);
  }

  const SimulatedModel::Options& options_;
  FakeClock& clock_;
  FakeSender::Allocator& allocator_;
  std::vector<Instance> instances_;
  std::unique_ptr<Timer::Subscription> completions_;
  uint64_t begun_ = 0;
  bool is_taking_ = false;
};

// The server's ensemble.
class ThreadedEnsemble final : public StepRunner {
 public:
  explicit ThreadedEnsemble(const Scenario& scenario) : scenario_(scenario) {
    for (size_t model = 0; model < scenario.options.models.size(); ++model) {
      models_.push_back(std::make_unique<ThreadedModel>(scenario.options.models[model], std::to_string(model),
                                                        &timer_, &clock_, &allocator_));
    }
    target_.mutable_signature() =
        SignatureOf("ensemble", kMostRows, scenario.options.inputs, scenario.options.outputs);
    auto graph =
        EnsembleGraph::Create(scenario.options.graph, scenario.options.inputs, scenario.options.outputs);
    context_ = std::make_unique<EnsembleContext>(
        EnsembleContext{std::move(graph).value(), &target_.signature(), 0, this, &allocator_, &events_,
                        &clock_, std::make_unique<InferenceStatistics>(kMostRows)});
    story_.outcomes.resize(scenario.arrivals.size());
  }

  Story Run() {
    for (size_t number = 0; number < scenario_.arrivals.size(); ++number) {
      const Arrival& arrival = scenario_.arrivals[number];
      timer_.Advance(arrival.at_ns - clock_.NowNs());
      RequestPtr request = InferenceRequest::New(&target_);
      request->set_id(std::to_string(number).c_str());
      request->set_priority(arrival.priority);
      const int64_t shape[] = {arrival.rows, 2};
      EXPECT_TRUE(request->AddInput("in", DataType::kFp32, shape, 2).ok());
      EXPECT_TRUE(request->AppendInputData("in", data_, size_t{8} * arrival.rows, MemoryPlace()).ok());
      request->set_delivery({&allocator_, nullptr, &ThreadedEnsemble::OnResponse, this});
      request->AddReleaseCallback(&ThreadedEnsemble::OnRelease, this);
      EXPECT_TRUE(request->Prepare().ok());
      request->BeginInference(++serial_);
      request->arrival_ns = clock_.NowNs();
      EnsembleRun::Start(*context_, std::move(request));
    }
    timer_.Advance(10'000'000'000);
    for (const auto& model : models_) {
      EXPECT_EQ(model->scheduler->queue_length(), 0u);
      story_.batches.push_back(model->batches);
    }
    return std::move(story_);
  }

  Result<RequestPtr> NewRequest(std::string_view model, int64_t) override {
    return InferenceRequest::New(&models_[std::stoull(std::string(model))]->target);
  }
  std::optional<Refusal> Infer(RequestPtr request) override {
    if (Status status = request->Prepare(); !status.ok()) {
      ADD_FAILURE() << status.message();
      return Refusal{std::move(status), std::move(request)};
    }
    request->BeginInference(++serial_);
    request->arrival_ns = clock_.NowNs();
    ThreadedModel& model = *models_[std::stoull(request->signature().name)];
    std::optional<Refusal> refusal = model.scheduler->Enqueue(std::move(request));
    if (refusal) refusal->request->EndInference();
    return refusal;
  }

 private:
  static void OnResponse(InferenceResponse* raw, uint32_t flags, void* self_) {
    auto* const self = static_cast<ThreadedEnsemble*>(self_);
    const InferenceResponse::Ptr response(raw);
    if ((flags & 1) == 0) return;
    const uint64_t number = std::stoull(response->request_id());
    self->story_.outcomes[number] = {self->clock_.NowNs(), response->error().ok()};
    self->story_.order.push_back(number);
  }
  static void OnRelease(InferenceRequest* request, uint32_t, void*) { RequestPtr(request).reset(); }

  const Scenario& scenario_;
  const char data_[8 * kMostRows] = {};
  FakeTarget target_;
  FakeClock clock_;
  FakeTimer timer_{clock_};
  FakeSender::Allocator allocator_;
  RecordingSink events_;
  std::vector<std::unique_ptr<ThreadedModel>> models_;
  std::unique_ptr<EnsembleContext> context_;
  Story story_;
  uint64_t serial_ = 0;
};

}  // namespace workbench
