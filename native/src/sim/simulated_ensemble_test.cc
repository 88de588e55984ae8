// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulated_ensemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "sim/simulation.h"

namespace workbench {
namespace {

using testing::ElementsAre;

class SimulatedEnsembleTest : public testing::Test, public SimulationSink {
 protected:
  using Mapping = EnsembleStep::Mapping;

  void AddModel(std::vector<uint64_t> service_ns, uint32_t max_batch_size = 1) {
    SimulatedModel::Options model;
    model.batching.is_dynamic = max_batch_size > 1;
    model.batching.max_batch_size = max_batch_size;
    model.service.service_ns = std::move(service_ns);
    options_.models.push_back(model);
  }
  void AddStep(uint32_t model, const Mapping& inputs, const Mapping& outputs) {
    options_.graph.steps.push_back({"m" + std::to_string(model), -1, inputs, outputs, false});
    options_.model_of_step.push_back(model);
  }
  void Between(std::vector<std::string> inputs, std::vector<std::string> outputs) {
    options_.inputs = std::move(inputs);
    options_.outputs = std::move(outputs);
  }
  // One model after the other.
  void AddChain(uint32_t length) {
    std::string from = "in";
    for (uint32_t model = 0; model < length; ++model) {
      const std::string to = "t" + std::to_string(model);
      AddStep(model, {{"x", from}}, {{"y", to}});
      from = to;
    }
    Between({"in"}, {from});
  }

  // When each request was answered, by its number; -1: it was refused.
  std::vector<int64_t> Answers(const std::vector<uint64_t>& arrivals_ns) {
    EXPECT_TRUE(Check(options_).ok()) << Check(options_).message();
    SimulatedEnsemble ensemble(options_, this);
    answers_.assign(arrivals_ns.size(), 0);
    for (uint64_t at_ns : arrivals_ns) {
      AdvanceTo(&ensemble, at_ns);
      SimulatedRequest& request = requests_.emplace_back();
      request.number = requests_.size() - 1;
      request.arrival_ns = at_ns;
      ensemble.Arrive(&request, at_ns);
    }
    AdvanceTo(&ensemble, SimulatedModel::kNever);
    results_ = ensemble.TakeResults();
    return answers_;
  }
  std::vector<uint32_t> BatchRows(size_t model) const {
    std::vector<uint32_t> rows;
    for (const BatchTally& tally : results_[model].batches) rows.insert(rows.end(), tally.count, tally.rows);
    return rows;
  }

  void OnExecuted(const Execution& execution, uint64_t end_ns) override {
    answers_[execution.first->number] = static_cast<int64_t>(end_ns);
  }
  void OnRefused(SimulatedRequest* request, uint64_t, bool) override { answers_[request->number] = -1; }

  SimulatedEnsemble::Options options_;
  std::vector<SimulationResult> results_;

 private:
  static void AdvanceTo(SimulatedEnsemble* ensemble, uint64_t now_ns) {
    while (ensemble->next_ns() <= now_ns && ensemble->next_ns() != SimulatedModel::kNever) {
      ensemble->Advance(ensemble->next_ns());
    }
  }

  std::deque<SimulatedRequest> requests_;
  std::vector<int64_t> answers_;
};

// By hand. m0 takes 100 and has one request at a time: it ends at 100, 200, 300. m1 takes 250 for one and 260
// for two: 100-350, and 350-610 for the two that came at 200 and 300. m2 takes 120: 100-220, 220-340,
// 340-460. m3 needs both: at 350, 610 and, as it takes 10 for each, 620.
TEST_F(SimulatedEnsembleTest, AStepBeginsOnceAllItsInputsAreThere) {
  AddModel({100});
  AddModel({250, 260, 270, 280}, 4);
  AddModel({120});
  AddModel({10});
  AddStep(0, {{"x", "in"}}, {{"y", "a"}});
  AddStep(1, {{"x", "a"}}, {{"y", "b"}});
  AddStep(2, {{"x", "a"}}, {{"y", "c"}});
  AddStep(3, {{"x", "b"}, {"z", "c"}}, {{"y", "out"}});
  Between({"in"}, {"out"});
  EXPECT_THAT(Answers({0, 30, 40}), ElementsAre(360, 620, 630));
  EXPECT_THAT(BatchRows(1), ElementsAre(1, 2));
  EXPECT_EQ(results_[0].answered, 3u);
  EXPECT_DOUBLE_EQ(results_[0].queue_mean_ns, (0 + 70 + 160) / 3.0);
  EXPECT_DOUBLE_EQ(results_[1].queue_mean_ns, (0 + 150 + 50) / 3.0);
  EXPECT_DOUBLE_EQ(results_[3].service_mean_ns, 10);
}

TEST_F(SimulatedEnsembleTest, ModelsThatShareTheProcessorsSlowEachOtherDown) {
  AddModel({100});
  AddModel({100});
  for (auto& model : options_.models) model.service.speeds = {1.0, 0.5};
  AddChain(2);
  // Alone until 100; then the second request's first step runs beside the first one's second: both until 300.
  EXPECT_THAT(Answers({0, 50}), ElementsAre(300, 400));
}

TEST_F(SimulatedEnsembleTest, AModelWithoutContentionDisturbsNobody) {
  AddModel({100});
  AddModel({100});
  options_.models[1].service.speeds = {1.0, 0.5};
  AddChain(2);
  EXPECT_THAT(Answers({0, 50}), ElementsAre(200, 300));
}

TEST_F(SimulatedEnsembleTest, StepsOfOneModelShareItsQueueAndItsBatches) {
  AddModel({100, 110, 120, 130}, 4);
  AddStep(0, {{"x", "in"}}, {{"y", "a"}});
  AddStep(0, {{"x", "a"}}, {{"y", "out"}});
  Between({"in"}, {"out"});
  // At 100 the first request's second step and the second request's first step go together.
  EXPECT_THAT(Answers({0, 50}), ElementsAre(210, 310));
  EXPECT_THAT(BatchRows(0), ElementsAre(1, 1, 2));
}

TEST_F(SimulatedEnsembleTest, AStepThatIsRefusedFailsTheRequestOnceTheOthersAreDone) {
  AddModel({100});
  AddModel({300});
  options_.models[1].queue.default_policy.max_queue_size = 1;
  AddChain(2);
  // 100-400 the first; the second waits from 200 on; the third finds a full queue at 300.
  EXPECT_THAT(Answers({0, 10, 20, 310}), ElementsAre(400, 700, -1, 1000));
}

TEST_F(SimulatedEnsembleTest, WhatIsNoEnsembleIsRefused) {
  AddModel({100});
  AddChain(1);
  options_.graph.steps[0].is_decoupled = true;
  EXPECT_EQ(Check(options_).code(), StatusCode::kUnsupported);
  options_.graph.steps[0].is_decoupled = false;
  options_.model_of_step = {1};
  EXPECT_FALSE(Check(options_).ok());
  options_.model_of_step = {0};
  options_.outputs = {"nowhere"};
  EXPECT_FALSE(Check(options_).ok());
  options_.outputs = {"t0"};
  EXPECT_TRUE(Check(options_).ok());
  options_.models[0].sequence.strategy = SequenceOptions::Strategy::kDirect;
  EXPECT_EQ(Check(options_).code(), StatusCode::kUnsupported);
}

TEST_F(SimulatedEnsembleTest, TheSameSeedTellsTheSameToTheLastBit) {
  AddModel({1'000'000, 1'100'000, 1'200'000, 1'300'000}, 4);
  AddModel({500'000});
  for (auto& model : options_.models) model.service.spread = {0.8, 1.0, 1.2};
  AddChain(2);
  SimulationOptions simulation;
  simulation.ensemble = options_;
  simulation.model.service.service_ns = {1};
  simulation.traffic.rate = 1'200;
  simulation.traffic.requests = 20'000;
  const std::atomic<bool> stop{false};
  const SimulationResult first = Simulate(simulation, stop).value();
  const SimulationResult again = Simulate(simulation, stop).value();
  EXPECT_EQ(first.answered, 20'000u);
  EXPECT_EQ(first.mean_ns, again.mean_ns);
  EXPECT_EQ(first.quantiles_ns, again.quantiles_ns);
  ASSERT_EQ(first.models.size(), 2u);
  const double parts_ns = first.models[0].mean_ns + first.models[1].mean_ns;
  EXPECT_NEAR(parts_ns / first.mean_ns, 1, 1e-9);
  simulation.traffic.seed = 2;
  EXPECT_NE(Simulate(simulation, stop).value().mean_ns, first.mean_ns);
}

TEST_F(SimulatedEnsembleTest, ARisingQueueOfAnyModelEndsTheSimulation) {
  AddModel({1'000});
  AddModel({1'000'000});
  AddChain(2);
  SimulationOptions simulation;
  simulation.ensemble = options_;
  simulation.model.service.service_ns = {1};
  simulation.traffic.rate = 10'000;
  simulation.traffic.requests = 100'000;
  simulation.max_waiting = 500;
  EXPECT_TRUE(Simulate(simulation, std::atomic<bool>{false}).value().is_overloaded);
}

}  // namespace
}  // namespace workbench
