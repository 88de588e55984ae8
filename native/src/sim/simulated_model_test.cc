// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulated_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "scheduling/scheduler_fixture.h"

namespace workbench {
namespace {

using testing::ElementsAre;

// Drives a model through given arrivals and writes down its steps.
class SimulatedLoop final : public SimulationSink {
 public:
  explicit SimulatedLoop(SimulatedModel::Options options) : model_(std::move(options), this) {}

  std::vector<Step> Run(const std::vector<Arrival>& arrivals) {
    for (const Arrival& arrival : arrivals) {
      AdvanceTo(arrival.at_ns);
      SimulatedRequest& request = requests_.emplace_back();
      request.number = requests_.size() - 1;
      request.arrival_ns = arrival.at_ns;
      request.rows = arrival.rows;
      request.shape_signature = arrival.shape;
      request.priority = arrival.priority;
      model_.Arrive(&request, arrival.at_ns);
    }
    AdvanceTo(SimulatedModel::kNever);
    return steps_;
  }
  const std::vector<uint64_t>& ends_ns() const { return ends_ns_; }

  void OnExecuted(const Execution& execution, uint64_t end_ns) override {
    Step step{execution.start_ns, execution.reason, {}};
    const QueueEntry* entry = execution.first;
    for (uint32_t i = 0; i < execution.count; ++i, entry = entry->next)
      step.serials.push_back(SerialOf(entry));
    steps_.push_back(std::move(step));
    ends_ns_.push_back(end_ns);
  }
  void OnRefused(SimulatedRequest* request, uint64_t now_ns, bool timed_out) override {
    steps_.push_back({now_ns, BatchReason::kNone, {SerialOf(request)}});
  }

 private:
  void AdvanceTo(uint64_t now_ns) {
    while (model_.next_ns() <= now_ns && model_.next_ns() != SimulatedModel::kNever) {
      model_.Advance(model_.next_ns());
    }
  }
  static uint64_t SerialOf(const QueueEntry* entry) {
    return static_cast<const SimulatedRequest*>(entry)->number + 1;
  }

  std::deque<SimulatedRequest> requests_;
  std::vector<Step> steps_;
  std::vector<uint64_t> ends_ns_;
  SimulatedModel model_;
};

SimulatedModel::Options OptionsOf(const Scenario& scenario) {
  SimulatedModel::Options options;
  options.batching = scenario.options.batching;
  options.queue = scenario.options.queue;
  options.service.service_ns = scenario.service_ns;
  options.instance_count = scenario.instance_count;
  return options;
}

TEST(SimulatedModelTest, TakesTheStepsThatTheScheduledServerTakes) {
  for (uint32_t seed = 0; seed < 2'000; ++seed) {
    const Scenario scenario = Draw(seed);
    const std::vector<Step> served = Ordered(ThreadedLoop(scenario).Run());
    const std::vector<Step> simulated = Ordered(SimulatedLoop(OptionsOf(scenario)).Run(scenario.arrivals));
    ASSERT_EQ(simulated.size(), served.size()) << "seed " << seed;
    for (size_t i = 0; i < served.size(); ++i) {
      ASSERT_EQ(simulated[i], served[i]) << "seed " << seed << ", step " << i;
    }
  }
}

class OneModelTest : public testing::Test {
 protected:
  OneModelTest() {
    options_.batching.is_dynamic = true;
    options_.batching.max_batch_size = 4;
    options_.service.service_ns = {1'000};
  }
  std::vector<uint64_t> Ends(const std::vector<uint64_t>& arrivals_ns) {
    std::vector<Arrival> arrivals;
    for (uint64_t at_ns : arrivals_ns) arrivals.push_back({at_ns, 1, 0, 0});
    SimulatedLoop loop(options_);
    steps_ = loop.Run(arrivals);
    return loop.ends_ns();
  }
  SimulatedModel::Options options_;
  std::vector<Step> steps_;
};

TEST_F(OneModelTest, InstancesThatShareSlowEachOtherDown) {
  options_.instance_count = 2;
  options_.service.speeds = {1.0, 0.5};
  EXPECT_THAT(Ends({100, 600}), ElementsAre(1'600, 2'100));
}

TEST_F(OneModelTest, ABatchGrowsWhileItsInstanceWakes) {
  options_.service.wake_ns = 50;
  EXPECT_THAT(Ends({100, 120}), ElementsAre(1'150));
  ASSERT_EQ(steps_.size(), 1u);
  EXPECT_EQ(steps_[0].serials.size(), 2u);
}

TEST_F(OneModelTest, WhoIsDoneTakesTheNextBatchAfterItsTurnaround) {
  options_.service.turnaround_ns = 10;
  EXPECT_THAT(Ends({100, 200}), ElementsAre(1'100, 2'110));
}

TEST_F(OneModelTest, ALateTimerMakesADelayLonger) {
  options_.batching.max_queue_delay_ns = 500;
  options_.service.timer_late_ns = 70;
  EXPECT_THAT(Ends({100}), ElementsAre(1'670));
}

TEST_F(OneModelTest, AnExecutionAfterAPauseTakesLongerByHowLongThePauseWas) {
  options_.service.after_pause = {{100, 10}, {300, 50}};
  // Nothing ran before the first: a long pause. Then one that waited, and pauses of 50, 200 and 2,000.
  EXPECT_THAT(Ends({1'000, 1'500, 3'100, 4'310, 7'340}), ElementsAre(2'050, 3'050, 4'110, 5'340, 8'390));
}

TEST_F(OneModelTest, TheInstanceThatWasIdleForTheShortestTimeIsWokenFirst) {
  options_.instance_count = 2;
  options_.batching.max_batch_size = 1;
  options_.service.wake_ns = 5;
  options_.service.after_pause = {{100, 10}, {10'000, 500}};
  EXPECT_THAT(Ends({20'000, 20'900, 22'500}), ElementsAre(21'505, 22'405, 23'515));
}

TEST_F(OneModelTest, TheServiceTimeVariesByItsFactors) {
  options_.service.spread = {2.0};
  EXPECT_THAT(Ends({100}), ElementsAre(2'100));
}

}  // namespace
}  // namespace workbench
