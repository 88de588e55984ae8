// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <deque>
#include <utility>

#include "engine/ensemble_fixture.h"

namespace workbench {
namespace {

// The simulated one.
class SimulatedStory final : public SimulationSink {
 public:
  explicit SimulatedStory(const Scenario& scenario) : scenario_(scenario), ensemble_(scenario.options, this) {
    story_.outcomes.resize(scenario.arrivals.size());
  }

  Story Run() {
    for (const Arrival& arrival : scenario_.arrivals) {
      AdvanceTo(arrival.at_ns);
      SimulatedRequest& request = requests_.emplace_back();
      request.number = requests_.size() - 1;
      request.arrival_ns = now_ns_ = arrival.at_ns;
      request.rows = arrival.rows;
      request.priority = arrival.priority;
      ensemble_.Arrive(&request, arrival.at_ns);
    }
    AdvanceTo(SimulatedModel::kNever);
    for (const SimulationResult& model : ensemble_.TakeResults()) {
      Batches& batches = story_.batches.emplace_back();
      for (const BatchTally& tally : model.batches) batches[{tally.rows, tally.reason}] = tally.count;
    }
    return std::move(story_);
  }

  void OnExecuted(const Execution& execution, uint64_t end_ns) override {
    End(execution.first->number, {end_ns, true});
  }
  void OnRefused(SimulatedRequest* request, uint64_t now_ns, bool) override {
    End(request->number, {now_ns, false});
  }

 private:
  void AdvanceTo(uint64_t now_ns) {
    while (ensemble_.next_ns() <= now_ns && ensemble_.next_ns() != SimulatedModel::kNever) {
      ensemble_.Advance(ensemble_.next_ns());
    }
  }
  void End(uint64_t number, Outcome outcome) {
    story_.outcomes[number] = outcome;
    story_.order.push_back(number);
  }

  const Scenario& scenario_;
  std::deque<SimulatedRequest> requests_;
  Story story_;
  SimulatedEnsemble ensemble_;
  uint64_t now_ns_ = 0;
};

TEST(EnsembleSimulationTest, TakesTheBatchesAndTheTimesOfTheServersEnsemble) {
  for (uint32_t seed = 0; seed < 2'000; ++seed) {
    const Scenario scenario = Draw(seed);
    const Story served = ThreadedEnsemble(scenario).Run();
    const Story simulated = SimulatedStory(scenario).Run();
    ASSERT_EQ(simulated.order, served.order) << "seed " << seed;
    ASSERT_EQ(simulated.outcomes, served.outcomes) << "seed " << seed;
    ASSERT_EQ(simulated.batches, served.batches) << "seed " << seed;
  }
}

}  // namespace
}  // namespace workbench
