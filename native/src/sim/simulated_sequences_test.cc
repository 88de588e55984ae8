// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The server's own scheduler of sequences and its simulation, given the same arrivals, form the same batches.
#include "sim/simulated_sequences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <unordered_map>

#include "scheduling/scheduler_fixture.h"
#include "scheduling/sequence/sequence_fixture.h"

namespace workbench {
namespace {

struct SequenceArrival {
  uint64_t at_ns;
  uint64_t sequence;
  uint32_t flags;
};

struct SequenceScenario {
  SchedulingOptions options;
  uint32_t instance_count = 1;
  std::vector<uint64_t> service_ns;
  std::vector<SequenceArrival> arrivals;
};

SequenceScenario DrawSequences(uint32_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t bound) { return random() % bound; };
  SequenceScenario drawn;
  BatchingOptions& batching = drawn.options.batching;
  SequenceOptions& sequence = drawn.options.sequence;
  batching.max_batch_size = static_cast<uint32_t>(1 + below(4));
  batching.max_queue_delay_ns = below(2) * below(3'000'000);
  sequence.strategy = below(2) == 0 ? Strategy::kDirect : Strategy::kOldest;
  sequence.max_candidate_sequences = static_cast<uint32_t>(below(2) * (1 + below(6)));
  sequence.minimum_slot_utilization = static_cast<double>(below(3)) / 2;
  sequence.max_idle_ns = 3'000'000 + below(20'000'000);
  drawn.instance_count = static_cast<uint32_t>(1 + below(3));
  uint64_t service_ns = 100'000 + below(2'000'000);
  for (uint32_t i = 0; i < 4; ++i) drawn.service_ns.push_back(service_ns += below(300'000));
  const uint64_t lanes = 1 + below(8), length = 1 + below(5);
  uint64_t at_ns = 1'000'000'000;
  for (uint64_t i = 0; i < 80; ++i) {
    at_ns += 1 + below(below(5) == 0 ? 5'000'000 : 400'000);
    const uint64_t turn = i / lanes;
    const uint32_t flags = (turn % length == 0 ? kStart : 0) | (turn % length == length - 1 ? kEnd : 0);
    drawn.arrivals.push_back({at_ns, 1 + turn / length * lanes + i % lanes, flags});
  }
  return drawn;
}

// The scheduler with instances that are busy for as long as the scenario says.
class ServedSequences final : public BatchRunner {
 public:
  explicit ServedSequences(const SequenceScenario& scenario)
      : scenario_(scenario), running_(scenario.instance_count) {
    SequenceScheduler::Context context;
    context.clock = &clock_;
    context.timer = &timer_;
    context.runner = this;
    context.memory = &memory_;
    context.is_batched = true;
    context.instances.clear();
    for (uint32_t i = 0; i < scenario.instance_count; ++i) context.instances.push_back(i);
    completions_ = timer_.Subscribe([this](uint64_t) { return OnCompletion(); });
    scheduler_ = std::make_unique<SequenceScheduler>(scenario.options, context);
    target_.scheduler = scheduler_.get();
  }

  std::vector<Step> Run() {
    for (const SequenceArrival& arrival : scenario_.arrivals) {
      timer_.Advance(arrival.at_ns - clock_.NowNs());
      RequestPtr request = sender_.NewRequest(&target_, arrival.at_ns);
      request->set_correlation_id(arrival.sequence);
      request->set_flags(arrival.flags);
      request->shape_signature = 0;
      serials_[request.get()] = ++serial_;
      if (scheduler_->Enqueue(std::move(request))) {
        steps_.push_back({clock_.NowNs(), BatchReason::kNone, {serial_}});
      }
    }
    timer_.Advance(1'000'000'000);
    return steps_;
  }

  void WakeOne() override {}
  void Wake(uint32_t instance) override { Take(instance); }

 private:
  struct Running {
    Batch batch;
    uint64_t end_ns = 0;  // 0: idle
  };

  void Take(uint32_t instance) {
    Running& running = running_[instance];
    if (running.end_ns != 0 || !scheduler_->Take(instance, &running.batch)) return;
    Step step{clock_.NowNs(), running.batch.reason, {}};
    for (InferenceRequest* request : running.batch.requests) {
      if (!request->is_null()) step.serials.push_back(serials_.at(request));
    }
    steps_.push_back(std::move(step));
    running.end_ns = clock_.NowNs() + scenario_.service_ns[running.batch.requests.size() - 1];
    completions_->CallBy(running.end_ns);
  }

  uint64_t OnCompletion() {
    for (uint32_t i = 0; i < running_.size(); ++i) {
      Running& running = running_[i];
      if (running.end_ns == 0 || running.end_ns > clock_.NowNs()) continue;
      const std::vector<InferenceRequest*> requests = running.batch.requests;
      for (InferenceRequest* request : requests) InferenceRequest::Release(RequestPtr(request), 1);
      running.end_ns = 0;
      Take(i);
    }
    uint64_t next_ns = Timer::kNever;
    for (const Running& running : running_) {
      if (running.end_ns > clock_.NowNs()) next_ns = std::min(next_ns, running.end_ns);
    }
    return next_ns;
  }

  const SequenceScenario& scenario_;
  FakeClock clock_;
  FakeTimer timer_{clock_};
  CountingResource memory_;
  SequenceTarget target_;
  FakeSender sender_;
  std::vector<Running> running_;
  std::unordered_map<const InferenceRequest*, uint64_t> serials_;
  std::vector<Step> steps_;
  uint64_t serial_ = 0;
  std::unique_ptr<Timer::Subscription> completions_;
  std::unique_ptr<SequenceScheduler> scheduler_;
};

class SimulatedRun final : public SimulationSink {
 public:
  explicit SimulatedRun(const SequenceScenario& scenario) : model_(OptionsOf(scenario), this) {
    for (const SequenceArrival& arrival : scenario.arrivals) {
      AdvanceTo(arrival.at_ns);
      SimulatedRequest& request = requests_.emplace_back();
      request.number = requests_.size() - 1;
      request.arrival_ns = arrival.at_ns;
      request.sequence_number = arrival.sequence;
      request.is_start = (arrival.flags & kStart) != 0;
      request.is_end = (arrival.flags & kEnd) != 0;
      model_.Arrive(&request, arrival.at_ns);
    }
    AdvanceTo(scenario.arrivals.back().at_ns + 1'000'000'000);
  }
  const std::vector<Step>& steps() const { return steps_; }

  void OnExecuted(const Execution& execution, uint64_t) override {
    Step step{execution.start_ns, execution.reason, {}};
    const QueueEntry* entry = execution.first;
    for (uint32_t i = 0; i < execution.count; ++i, entry = entry->next) {
      step.serials.push_back(static_cast<const SimulatedRequest*>(entry)->number + 1);
    }
    steps_.push_back(std::move(step));
  }
  void OnRefused(SimulatedRequest* request, uint64_t now_ns, bool) override {
    steps_.push_back({now_ns, BatchReason::kNone, {request->number + 1}});
  }

 private:
  static SimulatedModel::Options OptionsOf(const SequenceScenario& scenario) {
    SimulatedModel::Options options;
    options.batching = scenario.options.batching;
    options.sequence = scenario.options.sequence;
    options.service.service_ns = scenario.service_ns;
    options.instance_count = scenario.instance_count;
    return options;
  }
  void AdvanceTo(uint64_t now_ns) {
    while (model_.next_ns() <= now_ns) model_.Advance(model_.next_ns());
  }

  std::deque<SimulatedRequest> requests_;
  std::vector<Step> steps_;
  SimulatedSequences model_;
};

// Requests that became candidates in one moment have no order within their batch.
std::vector<Step> WithoutOrder(std::vector<Step> steps) {
  for (Step& step : steps) std::sort(step.serials.begin(), step.serials.end());
  return Ordered(std::move(steps));
}

TEST(SimulatedSequencesTest, FormsTheBatchesThatTheServerForms) {
  for (uint32_t seed = 0; seed < 1'000; ++seed) {
    const SequenceScenario scenario = DrawSequences(seed);
    const std::vector<Step> served = WithoutOrder(ServedSequences(scenario).Run());
    const std::vector<Step> simulated = WithoutOrder(SimulatedRun(scenario).steps());
    ASSERT_EQ(simulated.size(), served.size()) << "seed " << seed;
    for (size_t i = 0; i < served.size(); ++i) {
      ASSERT_EQ(simulated[i], served[i]) << "seed " << seed << ", step " << i;
    }
  }
}

}  // namespace
}  // namespace workbench
