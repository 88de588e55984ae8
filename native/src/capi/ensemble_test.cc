// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Ensembles: models whose steps run on other models of the same engine.
#include <gmock/gmock.h>

#include <atomic>
#include <map>
#include <thread>

#include "capi/core_fixture.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

EnsembleStep Step(const char* model, const char* input, const char* output, bool is_decoupled = false) {
  return {model, -1, {{"IN", input}}, {{"OUT", output}}, is_decoupled};
}

class EnsembleTest : public CoreTest {
 protected:
  ~EnsembleTest() override {
    for (auto& [name, model] : ensembles_) Unload(std::move(model));
    for (auto& [name, model] : models_) Unload(std::move(model));
  }

  // A model of that test backend, under the backend's name.
  void Serve(const char* backend, bool is_decoupled = false) {
    ModelSpec spec = Spec();
    spec.signature.name = backend;
    spec.signature.is_decoupled = is_decoupled;
    Replace(&models_[backend], Load(backend, spec));
  }

  void ServeEnsemble(const char* name, std::vector<EnsembleStep> steps, bool is_decoupled = false,
                     uint32_t max_inflight_requests = 0) {
    ModelSpec spec = Spec(false, 0, 0);
    spec.signature.name = name;
    spec.signature.is_decoupled = is_decoupled;
    spec.ensemble = EnsembleOptions{std::move(steps), max_inflight_requests};
    auto model = engine_->CreateModel(spec, nullptr);
    ASSERT_TRUE(model.ok());
    ASSERT_TRUE((*model)->Initialize().ok());
    const Status status = (*model)->Start(spec);
    ASSERT_TRUE(status.ok()) << status.message();
    engine_->Publish(**model);
    Replace(&ensembles_[name], std::move(*model));
  }

  std::shared_ptr<ResponseBridge> Infer(const char* model) { return Answer(Submit(model).value()); }

  // The outputs of every answer.
  std::vector<size_t> Stream(const char* model) {
    auto call = Submit(model).value();
    EXPECT_TRUE(call->Wait(10 * kSecond));
    std::vector<size_t> counts;
    while (!call->is_exhausted()) counts.push_back(call->Take(kSecond)->outputs().size());
    return counts;
  }

  ModelBridge& model(const char* name) { return *models_.at(name); }
  ModelBridge& ensemble(const char* name) { return *ensembles_.at(name); }

 private:
  void Replace(std::unique_ptr<ModelBridge>* slot, std::unique_ptr<ModelBridge> next) {
    if (*slot != nullptr) {
      EXPECT_TRUE((*slot)->Drain(10 * kSecond));
      EXPECT_TRUE((*slot)->Close().ok());
    }
    *slot = std::move(next);
  }

  std::map<std::string, std::unique_ptr<ModelBridge>> models_;
  std::map<std::string, std::unique_ptr<ModelBridge>> ensembles_;
};

TEST_F(EnsembleTest, TensorsFlowFromStepToStep) {
  Serve("echo");
  ServeEnsemble("e", {Step("echo", "IN", "t"), Step("echo", "t", "OUT")});
  const auto response = Infer("e");
  ASSERT_TRUE(response->error().ok()) << response->error().message();
  ASSERT_THAT(response->outputs(), SizeIs(1));
  EXPECT_EQ(0, memcmp(response->outputs()[0].base, values_, sizeof values_));
  EXPECT_THAT(response->outputs()[0].shape, ElementsAre(1, 4));
  EXPECT_EQ(model("echo").statistics().success.count, 2u);
}

TEST_F(EnsembleTest, NoByteIsCopiedOnTheWayToAnInProcessSender) {
  Serve("echo");
  ServeEnsemble("e", {Step("echo", "IN", "t"), Step("echo", "t", "OUT")});
  Infer("e");
  EXPECT_EQ(engine_->Pools()[0].allocations, 2u);  // one a step
  EXPECT_EQ(engine_->Pools()[0].live_byte_size, 0u);
}

TEST_F(EnsembleTest, CountsOneExecutionARequest) {
  Serve("echo");
  ServeEnsemble("e", {Step("echo", "IN", "t"), Step("echo", "t", "OUT")});
  for (int i = 0; i < 5; ++i) Infer("e");
  const auto counts = ensemble("e").statistics();
  EXPECT_EQ(counts.success.count, 5u);
  EXPECT_EQ(counts.queue.count, 5u);
  EXPECT_EQ(counts.compute_infer.count, 5u);
  EXPECT_EQ(counts.execution_count, 5u);
  EXPECT_EQ(counts.inference_count, 5u);
  EXPECT_GE(counts.success.ns, counts.queue.ns);
}

TEST_F(EnsembleTest, AFailingStepIsNamedAndFailsTheRequestOnce) {
  Serve("echo");
  Serve("fails");
  ServeEnsemble("e", {Step("echo", "IN", "t"), Step("fails", "t", "OUT")});
  const auto response = Infer("e");
  EXPECT_EQ(response->error().code(), StatusCode::kUnavailable);
  EXPECT_THAT(response->error().message(), HasSubstr("step 1 (model 'fails')"));
  EXPECT_THAT(response->error().message(), HasSubstr("not today"));
  EXPECT_EQ(ensemble("e").statistics().fail.count, 1u);
  EXPECT_EQ(ensemble("e").statistics().execution_count, 0u);
}

TEST_F(EnsembleTest, AModelThatIsNotThereIsNamed) {
  ServeEnsemble("e", {Step("nowhere", "IN", "OUT")});
  const auto response = Infer("e");
  EXPECT_EQ(response->error().code(), StatusCode::kNotFound);
  EXPECT_THAT(response->error().message(), HasSubstr("step 0 (model 'nowhere')"));
}

TEST_F(EnsembleTest, ATensorThatAStepLeftOutIsNamedWhereItIsRequired) {
  Serve("echo");
  Serve("leaves_out");
  ServeEnsemble("e", {Step("leaves_out", "IN", "t"), Step("echo", "t", "OUT")});
  const auto response = Infer("e");
  EXPECT_EQ(response->error().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(response->error().message(), HasSubstr("tensor 't'"));
  EXPECT_THAT(response->error().message(), HasSubstr("step 0 (model 'leaves_out') left it out"));
}

TEST_F(EnsembleTest, ATensorThatAStepLeftOutIsAbsentWhereItIsOptional) {
  Serve("leaves_out");
  ModelSpec spec = Spec();
  spec.signature.name = "optional";
  spec.signature.inputs.push_back({"MORE", DataType::kFp32, {4}, false, {}, true, false, false});
  auto optional = Load("echo", spec);
  ServeEnsemble("e", {Step("leaves_out", "IN", "t"),
                      {"optional", -1, {{"IN", "IN"}, {"MORE", "t"}}, {{"OUT", "OUT"}}, false}});
  EXPECT_TRUE(Infer("e")->error().ok());
  Unload(std::move(optional));
}

TEST_F(EnsembleTest, AnOutputThatItsStepLeftOutIsLeftOut) {
  Serve("leaves_out");
  ServeEnsemble("e", {Step("leaves_out", "IN", "OUT")});
  const auto response = Infer("e");
  EXPECT_TRUE(response->error().ok());
  EXPECT_THAT(response->outputs(), SizeIs(0));
}

TEST_F(EnsembleTest, EachAnswerOfADecoupledStepFlowsOn) {
  Serve("echo");
  Serve("repeats", true);
  ServeEnsemble("e", {Step("repeats", "IN", "t", true), Step("echo", "t", "OUT")}, true);
  const auto counts = Stream("e");
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 1u), 3);
  EXPECT_EQ(model("echo").statistics().success.count, 3u);
  EXPECT_EQ(ensemble("e").statistics().success.count, 1u);
}

TEST_F(EnsembleTest, DecoupledStepsMultiply) {
  Serve("repeats", true);
  ServeEnsemble("e", {Step("repeats", "IN", "t", true), Step("repeats", "t", "OUT", true)}, true);
  const auto counts = Stream("e");
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 1u), 9);
}

TEST_F(EnsembleTest, AProducerIsHeldBackAndLosesNothing) {
  Serve("echo");
  Serve("repeats", true);
  ServeEnsemble("e", {Step("repeats", "IN", "t", true), Step("echo", "t", "OUT")}, true, 1);
  for (int i = 0; i < 100; ++i) {
    const auto counts = Stream("e");
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 1u), 3);
  }
}

// One instance: held back, it could not execute the step that it is held back for.
TEST_F(EnsembleTest, AProducerThatRunsAnotherStepIsNotHeldBack) {
  Serve("repeats", true);
  ServeEnsemble("e", {Step("repeats", "IN", "t", true), Step("repeats", "t", "OUT", true)}, true, 1);
  const auto counts = Stream("e");
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 1u), 9);
}

TEST_F(EnsembleTest, AFailureBehindADecoupledStepIsTheLastAnswer) {
  Serve("fails");
  Serve("repeats", true);
  ServeEnsemble("e", {Step("repeats", "IN", "t", true), Step("fails", "t", "OUT")}, true);
  auto call = Submit("e").value();
  ASSERT_TRUE(call->Wait(10 * kSecond));
  const auto response = call->Take(0);
  EXPECT_EQ(response->error().code(), StatusCode::kUnavailable);
  EXPECT_TRUE(response->is_final());
}

TEST_F(EnsembleTest, EnsemblesNest) {
  Serve("echo");
  ServeEnsemble("inner", {Step("echo", "IN", "t"), Step("echo", "t", "OUT")});
  ServeEnsemble("e", {Step("inner", "IN", "t"), Step("inner", "t", "OUT")});
  EXPECT_TRUE(Infer("e")->error().ok());
  EXPECT_EQ(ensemble("inner").statistics().success.count, 2u);
  EXPECT_EQ(model("echo").statistics().success.count, 4u);
}

TEST_F(EnsembleTest, AFailureDeepWithinNamesTheWayToIt) {
  Serve("fails");
  ServeEnsemble("inner", {Step("fails", "IN", "OUT")});
  ServeEnsemble("e", {Step("inner", "IN", "OUT")});
  const auto response = Infer("e");
  EXPECT_EQ(response->error().code(), StatusCode::kUnavailable);
  EXPECT_THAT(response->error().message(), HasSubstr("ensemble 'e', step 0 (model 'inner')"));
  EXPECT_THAT(response->error().message(), HasSubstr("ensemble 'inner', step 0 (model 'fails')"));
}

TEST_F(EnsembleTest, ACancelledRequestStartsNoFurtherStep) {
  ModelSpec spec = Spec(true, 3600 * kSecond);
  spec.signature.name = "waits";
  auto waits = Load("echo", spec);
  Serve("echo");
  ServeEnsemble("e", {Step("waits", "IN", "t"), Step("echo", "t", "OUT")});
  auto call = Submit("e").value();
  call->Cancel();
  Unload(std::move(waits));  // what waits goes now
  EXPECT_EQ(Answer(call)->error().code(), StatusCode::kCancelled);
  EXPECT_EQ(model("echo").statistics().success.count, 0u);
}

TEST_F(EnsembleTest, EventsTellWhichRequestAStepBelongsTo) {
  Serve("echo");
  ServeEnsemble("e", {Step("echo", "IN", "t"), Step("echo", "t", "OUT")});
  auto call = Submit("e").value();
  Answer(call);
  const auto steps = EventsOf(EventKind::kStep);
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_EQ(steps[0].start_ns, call->serial());
  EXPECT_EQ(steps[0].model, ensemble("e").number());
  EXPECT_EQ(steps[1].instance, 1);
  size_t found = 0;
  for (const Event& request : EventsOf(EventKind::kRequest)) {
    found += request.id == steps[0].id || request.id == steps[1].id || request.id == call->serial();
  }
  EXPECT_EQ(found, 3u);
}

TEST_F(EnsembleTest, ReloadsOfAStepsModelLoseNoRequest) {
  std::atomic<bool> is_stopping{false};
  std::atomic<uint64_t> answered{0};
  Serve("echo");
  ServeEnsemble("inner", {Step("echo", "IN", "t"), Step("echo", "t", "OUT")});
  ServeEnsemble("e", {Step("inner", "IN", "t"), Step("echo", "t", "OUT")});
  std::vector<std::thread> senders;
  for (int i = 0; i < 4; ++i) {
    senders.emplace_back([&] {
      while (!is_stopping) {
        const auto response = Infer("e");
        ASSERT_TRUE(response->error().ok()) << response->error().message();
        ++answered;
      }
    });
  }
  for (int reload = 0; reload < 20; ++reload) {
    Serve("echo");
    if (reload % 4 == 0) ServeEnsemble("inner", {Step("echo", "IN", "OUT")});
    const uint64_t before = answered;
    while (answered < before + 20) std::this_thread::yield();
  }
  is_stopping = true;
  for (std::thread& sender : senders) sender.join();
  EXPECT_EQ(engine_->in_flight(), 0u);
  EXPECT_EQ(engine_->Pools()[0].live_byte_size, 0u);
}

}  // namespace
}  // namespace workbench
