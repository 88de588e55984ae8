// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Each way to break the interface's rules, under each scheduler: every request has one answer, nothing stays
// held, and the next model serves.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <tuple>

#include "capi/core_fixture.h"
#include "testing/faults.h"

namespace workbench {
namespace {

constexpr uint32_t kStart = 1;  // TRITONSERVER_REQUEST_FLAG_SEQUENCE_START
constexpr uint32_t kEnd = 2;    // TRITONSERVER_REQUEST_FLAG_SEQUENCE_END
constexpr int kSent = 3;

enum class Setting { kPlain, kDirect, kOldest, kStep, kCached, kLimited };

class FaultsEverywhereTest : public CoreTest,
                             public ::testing::WithParamInterface<std::tuple<Setting, Fault>> {
 protected:
  FaultsEverywhereTest() {
    EngineOptions options;
    options.cache_byte_size = 1 << 20;
    options.rate_limits.emplace();
    engine_ = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options).value();
    faults().fault = std::get<Fault>(GetParam());
  }
  ~FaultsEverywhereTest() override { faults().fault = Fault::kNone; }

  static Faults& faults() {
    static void* const library = dlopen(WB_TEST_BACKENDS "/libtriton_faulty.so", RTLD_NOW | RTLD_LOCAL);
    return *static_cast<Faults*>(dlsym(library, "wb_faults"));
  }
  static Setting setting() { return std::get<Setting>(GetParam()); }
  static bool is_of_sequences() { return setting() == Setting::kDirect || setting() == Setting::kOldest; }

  static ModelSpec SpecOf() {
    ModelSpec spec = Spec();
    spec.is_cached = setting() == Setting::kCached;
    using Strategy = SequenceOptions::Strategy;
    if (setting() == Setting::kDirect) spec.scheduling.sequence.strategy = Strategy::kDirect;
    if (setting() == Setting::kOldest) spec.scheduling.sequence.strategy = Strategy::kOldest;
    if (setting() == Setting::kLimited) spec.instances[0].limit.resources = {{"R", false, 1}};
    if (setting() == Setting::kStep) spec.signature.name = "step";
    return spec;
  }

  std::unique_ptr<ModelBridge> LoadEnsemble() {
    ModelSpec spec = Spec(false, 0, 0);
    spec.ensemble = EnsembleOptions{{{"step", -1, {{"IN", "IN"}}, {{"OUT", "t"}}, false},
                                     {"step", -1, {{"IN", "t"}}, {{"OUT", "OUT"}}, false}},
                                    0};
    auto model = engine_->CreateModel(spec, nullptr);
    EXPECT_TRUE((*model)->Initialize().ok() && (*model)->Start(spec).ok());
    engine_->Publish(**model);
    return std::move(*model);
  }

  // What a backend keeps is answered once somebody asks for it.
  std::shared_ptr<ResponseBridge> AnswerOf(const std::shared_ptr<CallBridge>& call) {
    Await([&] {
      const auto answer_kept = faults().answer_kept.load();
      if (std::get<Fault>(GetParam()) == Fault::kKeeps && answer_kept != nullptr) answer_kept();
      return call->is_done();
    });
    return call->Take(0);
  }

  void InferAll() {
    for (int i = 0; i < kSent; ++i) {
      CallOptions options;
      options.model = "m";
      if (is_of_sequences()) {
        options.correlation_id = 7;
        options.flags = i == 0 ? kStart : i + 1 == kSent ? kEnd : 0;
      }
      options.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
      auto call = engine_->Submit(options);
      ASSERT_TRUE(call.ok()) << call.status().message();
      ASSERT_NE(AnswerOf(*call), nullptr);
      EXPECT_EQ((*call)->Take(0), nullptr);
      EXPECT_TRUE((*call)->is_exhausted());
    }
  }
};

TEST_P(FaultsEverywhereTest, CostOneAnswerEachAndNothingElse) {
  auto model = Load("faulty", SpecOf());
  auto ensemble = setting() == Setting::kStep ? LoadEnsemble() : nullptr;
  InferAll();
  if (ensemble) Unload(std::move(ensemble));
  Unload(std::move(model));
  EXPECT_EQ(engine_->in_flight(), 0u);
  EXPECT_EQ(engine_->Pools()[0].live_byte_size, 0u);
  auto next = Load("echo", Spec());
  EXPECT_TRUE(Answer(Submit().value())->error().ok());
  Unload(std::move(next));
}

INSTANTIATE_TEST_SUITE_P(
    Everywhere, FaultsEverywhereTest,
    ::testing::Combine(::testing::Values(Setting::kPlain, Setting::kDirect, Setting::kOldest, Setting::kStep,
                                         Setting::kCached, Setting::kLimited),
                       ::testing::Values(Fault::kNone, Fault::kAnswersTwice, Fault::kAnswersTwiceAfterRelease,
                                         Fault::kAnswersAfterFinal, Fault::kSendsAResponseTwice,
                                         Fault::kAnswersWithoutRequest, Fault::kFailsAfterAnswering,
                                         Fault::kFailsAfterSending, Fault::kReleasesTwice, Fault::kKeeps,
                                         Fault::kThrowsAfterAnswering)));

}  // namespace
}  // namespace workbench
