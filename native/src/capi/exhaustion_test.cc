// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory or threads run out at every point of an engine's life, one point after the other: from its creation
// over loading, inference, sequences, an ensemble, reload and reconfiguration to its destruction. What can
// not be had is an error with words, nothing is lost or hangs, and the engine serves afterwards.
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "capi/core_fixture.h"
#include "testing/failing_malloc.h"
#include "testing/failing_new.h"
#include "testing/failing_threads.h"

namespace workbench {
namespace {

constexpr uint32_t kStart = 1;  // TRITONSERVER_REQUEST_FLAG_SEQUENCE_START
constexpr uint32_t kEnd = 2;    // TRITONSERVER_REQUEST_FLAG_SEQUENCE_END

// Whatever is handed to the core, made before anything fails.
struct Script {
  ModelSpec spec;
  std::string backend;  // empty: an ensemble
  CallOptions request;
};

class ExhaustionTest : public CoreTest {
 protected:
  using Models = std::vector<std::unique_ptr<ModelBridge>>;

  ExhaustionTest() {
    engine_.reset();
    for (InstanceSpec& instance : plain_.spec.instances) instance.limit.resources = {{"R", false, 1}};
    WarmupSample sample;
    sample.name = "one";
    sample.inputs.push_back({"IN", DataType::kFp32, {1, 4}, std::string(sizeof values_, '\0')});
    plain_.spec.warmup.push_back(std::move(sample));
    sequences_.spec.scheduling.sequence.strategy = SequenceOptions::Strategy::kOldest;
    ensemble_.spec.ensemble = EnsembleOptions{{{"plain", -1, {{"IN", "IN"}}, {{"OUT", "t"}}, false},
                                               {"plain", -1, {{"IN", "t"}}, {{"OUT", "OUT"}}, false}},
                                              0};
  }

  Script Of(const std::string& name, const std::string& backend, int instances) {
    Script script{Spec(instances > 1, instances > 1 ? 1000 : 0, instances), backend, {}};
    script.spec.signature.name = name;
    script.request.model = name;
    script.request.request_id = "a request with a name that is long";
    script.request.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
    return script;
  }

  // Says whether it went well; one that did not must say why.
  bool Told(const Status& status) {
    const Exempt exempt;
    if (status.ok()) return true;
    if (std::getenv("WB_SHOW_FAILURES") != nullptr) std::fprintf(stderr, "%s\n", status.message().c_str());
    EXPECT_GT(status.message().size(), 10u);
    ++told_;
    return false;
  }

  EngineOptions Options() const {
    EngineOptions options;
    options.cache_byte_size = 1 << 20;
    options.event_byte_size = 1 << 20;
    options.rate_limits.emplace();
    return options;
  }

  // What the test makes of its own.
  template <typename Make>
  static auto Spared(const Make& make) {
    const Exempt exempt;
    return make();
  }

  bool Load(const Script& script, Models* models) {
    Spared([&] { models->reserve(8); });
    auto to_create = Spared([&] { return script.spec; });
    auto to_start = Spared([&] { return script.spec; });
    std::shared_ptr<BackendBridge> backend;
    if (!script.backend.empty()) {
      auto opened = engine_->OpenBackend("test", backend_path_, "{}");
      if (!Told(opened.status())) return false;
      backend = *opened;
    }
    auto model = engine_->CreateModel(std::move(to_create), backend.get());
    if (!Told(model.status()) || !Told((*model)->Initialize().status())) return false;
    if (!Told((*model)->Start(std::move(to_start)))) return false;
    engine_->Publish(**model);
    models->push_back(std::move(*model));
    return true;
  }

  // Three requests; whatever is taken is answered.
  void Infer(const Script& script, bool is_sequence) {
    auto request = Spared([&] { return script.request; });
    for (int i = 0; i < 3; ++i) {
      request.correlation_id = is_sequence ? 7 : 0;
      request.flags = !is_sequence ? 0 : i == 0 ? kStart : i == 2 ? kEnd : 0;
      auto call = engine_->Submit(request);
      if (!Told(call.status())) continue;
      const Exempt exempt;
      ASSERT_TRUE((*call)->Wait(10 * kSecond)) << "a request was never answered";
      const auto answer = (*call)->Take(0);
      ASSERT_NE(answer, nullptr);
      EXPECT_TRUE(answer->is_final());
      answered_ += Told(answer->error());
    }
  }

  void Change(ModelBridge* model) {
    auto three = Spared([&] { return Of("plain", "echo", 3).spec.instances; });
    auto scheduling = Spared([&] {
      SchedulingOptions changed = plain_.spec.scheduling;
      changed.batching.preferred_batch_sizes = {2, 4};
      return changed;
    });
    (void)Told(model->UpdateInstances(std::move(three)));
    model->Reconfigure(std::move(scheduling));
  }

  void Unload(std::unique_ptr<ModelBridge>* model) {
    engine_->Retire(**model);
    EXPECT_TRUE((*model)->Drain(10 * kSecond));
    EXPECT_TRUE((*model)->Close().ok());
    model->reset();
  }

  // The life of an engine's models. Whatever fails, the rest goes on.
  void LiveOn() {
    Models models;
    const bool has_plain = Load(plain_, &models);
    (void)Load(sequences_, &models);
    (void)Load(ensemble_, &models);
    for (const Script* script : {&plain_, &sequences_, &ensemble_}) Infer(*script, script == &sequences_);
    if (has_plain) {
      Change(models.front().get());
      if (Load(plain_, &models))
        Unload(&models.front());  // a reload: the new one serves before the old one goes
      Infer(ensemble_, false);
    }
    for (auto model = models.rbegin(); model != models.rend(); ++model) {
      if (*model != nullptr) Unload(&*model);
    }
  }

  bool Begin() {
    const auto options = Spared([this] { return Options(); });
    auto engine = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options);
    if (!Told(engine.status())) return false;
    engine_ = std::move(*engine);
    return true;
  }

  // A whole life in which that call of `plan` fails, and a second one in which nothing does; false: there are
  // fewer calls.
  bool Live(FailurePlan* plan, int64_t first) {
    told_ = answered_ = 0;
    plan->Arm(first, 1);
    if (Begin()) LiveOn();
    const bool has_failed = plan->Disarm();
    if (!has_failed) {
      EXPECT_EQ(told_, 0);
      EXPECT_EQ(answered_, 12);
    }
    if (engine_ == nullptr) EXPECT_TRUE(Begin());
    told_ = answered_ = 0;
    LiveOn();
    EXPECT_EQ(told_, 0) << "after call " << first;
    EXPECT_EQ(answered_, 12) << "after call " << first;
    EXPECT_EQ(engine_->in_flight(), 0u);
    for (const PoolStatus& pool : engine_->Pools()) EXPECT_EQ(pool.live_byte_size, 0u) << "call " << first;
    plan->Arm(first, 1);  // its end takes no memory that it can not wait for
    engine_.reset();
    plan->Disarm();
    return has_failed;
  }

  // What is lost at some point shows in every round; free lists grow in the first ones, and how much depends
  // on the threads.
  void FailEach(FailurePlan* plan, const char* what) {
    constexpr int kRounds = 40;
    int64_t points = 0;
    int64_t growth = 0;
    for (int round = 0; round < kRounds && (round == 0 || growth > points); ++round) {
      const int64_t before = testing_new::live;
      for (points = 0; Live(plan, points); ++points) ASSERT_FALSE(HasFailure()) << what << " " << points;
      growth = testing_new::live - before;
      std::printf("%lld points where %s runs out, %lld allocations more\n", static_cast<long long>(points),
                  what, static_cast<long long>(growth));
    }
    EXPECT_GT(points, 3);
    EXPECT_LE(growth, points);
  }

  const std::string backend_path_ = WB_TEST_BACKENDS "/libtriton_echo.so";
  Script plain_ = Of("plain", "echo", 2);
  Script sequences_ = Of("sequences", "echo", 1);
  Script ensemble_ = Of("ensemble", "", 0);
  int told_ = 0;
  int answered_ = 0;
};

TEST_F(ExhaustionTest, OfMemoryAtEveryPointOfAnEnginesLife) { FailEach(&new_failures, "memory"); }

TEST_F(ExhaustionTest, OfTheSystemsMemoryAtEveryPointOfAnEnginesLife) {
  if (!has_failing_malloc) GTEST_SKIP() << "a sanitizer allocates itself";
  FailEach(&malloc_failures, "malloc");
}

TEST_F(ExhaustionTest, OfThreadsAtEveryPointOfAnEnginesLife) {
  FailEach(&thread_failures, "room for threads");
}

TEST_F(ExhaustionTest, OfThreadsThatSendLoadEndsTheRunAtOnce) {
  constexpr int kSenders = 2;
  ASSERT_TRUE(Begin());
  Models models;
  ASSERT_TRUE(Load(plain_, &models));
  LoadOptions options;
  options.schedule_ns = {0, static_cast<int64_t>(600 * kSecond)};
  options.sender_count = kSenders;
  options.observe_every_ns = kSecond;
  for (int first = 0; first <= kSenders; ++first) {  // the last one observes
    auto target = engine_->NewTarget({plain_.request}, {});
    ASSERT_TRUE(target.ok()) << target.status().message();
    thread_failures.Arm(first, 1);
    const auto run = TRITONWORKBENCH_Bridge(kBridgeVersion)->start_load(options, std::move(target).value());
    EXPECT_TRUE(thread_failures.Disarm());
    EXPECT_EQ(run.status().code(), StatusCode::kUnavailable);
    EXPECT_NE(run.status().message().find("wb-load-"), std::string::npos);
  }
  Unload(&models.front());
}

}  // namespace
}  // namespace workbench
