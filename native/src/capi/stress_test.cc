// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Sixteen threads load, infer, cancel, reload, reconfigure and unload at random: every request that was taken
// is answered once, and at the end nothing is held. Meant for the sanitizers; WB_STRESS_SECONDS says how
// long.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "engine/bridge.h"

namespace workbench {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr int kThreads = 16;
constexpr int kModels = 4;

std::chrono::seconds StressTime() {
  const char* const text = std::getenv("WB_STRESS_SECONDS");
  return std::chrono::seconds(text != nullptr ? std::atoi(text) : 2);
}

// One name that models come and go under. Its control is one thread's at a time, as the interface asks.
struct Slot {
  std::mutex control;
  std::string name;
  std::unique_ptr<ModelBridge> model;
};

struct Tally {
  std::atomic<uint64_t> taken{0}, answered{0}, refused{0}, cancelled{0}, loads{0}, reconfigured{0};
};

class Worker {
 public:
  Worker(EngineBridge* engine, std::array<Slot, kModels>* slots, Tally* tally, uint32_t seed)
      : engine_(engine), slots_(*slots), tally_(*tally), random_(seed) {}

  void Run(std::chrono::steady_clock::time_point until) {
    while (std::chrono::steady_clock::now() < until) {
      Slot& slot = slots_[Below(kModels)];
      const uint64_t dice = Below(1000);
      if (dice < 4) {
        Reload(&slot);
      } else if (dice < 6) {
        Unload(&slot);
      } else if (dice < 20) {
        Reconfigure(&slot);
      } else {
        Infer(slot);
      }
    }
    Finish(0);
  }

 private:
  uint64_t Below(uint64_t bound) { return random_() % bound; }

  SchedulingOptions Scheduling() {
    SchedulingOptions options;
    options.batching = {Below(4) != 0, 8, Below(2) * Below(300'000), {}};
    if (Below(3) == 0) options.batching.preferred_batch_sizes = {static_cast<uint32_t>(1 + Below(8))};
    options.queue.priority_levels = static_cast<uint32_t>(Below(3));
    options.queue.default_priority_level = options.queue.priority_levels;
    QueuePolicy& policy = options.queue.default_policy;
    policy.default_timeout_ns = Below(2) * (1 + Below(kSecond / 100));
    policy.timeout_action = Below(2) == 0 ? TimeoutAction::kReject : TimeoutAction::kDelay;
    policy.max_queue_size = static_cast<uint32_t>(Below(2) * 64);
    options.preserve_ordering = options.queue.priority_levels < 2 && Below(4) == 0;
    return options;
  }

  ModelSpec Spec(const std::string& name) {
    ModelSpec spec;
    spec.signature.name = name;
    spec.signature.max_batch_size = 8;
    spec.signature.inputs.push_back({"IN", DataType::kFp32, {4}, false, {}, false, false, false});
    spec.signature.outputs.push_back({"OUT", DataType::kFp32, {4}, false, {}, false, false, false});
    spec.scheduling = Scheduling();
    for (uint64_t i = 0; i <= Below(3); ++i)
      spec.instances.push_back({name + "_" + std::to_string(i), "CPU", 0, false, ""});
    spec.config_json = "{}";
    return spec;
  }

  // The new one serves before the old one goes.
  void Reload(Slot* slot) {
    const std::lock_guard<std::mutex> lock(slot->control);
    static constexpr const char* kBackends[] = {"echo", "echo", "fails", "throws", "reports_nothing"};
    const std::string path = std::string(WB_TEST_BACKENDS) + "/libtriton_" + kBackends[Below(5)] + ".so";
    auto backend = engine_->OpenBackend("test", path, "{}");
    ASSERT_TRUE(backend.ok()) << backend.status().message();
    const ModelSpec spec = Spec(slot->name);
    auto model = engine_->CreateModel(spec, backend->get());
    ASSERT_TRUE(model.ok() && (*model)->Initialize().ok() && (*model)->Start(spec).ok());
    engine_->Publish(**model);
    std::swap(slot->model, *model);
    if (*model) Close(std::move(*model));
    ++tally_.loads;
  }

  void Unload(Slot* slot) {
    const std::lock_guard<std::mutex> lock(slot->control);
    if (slot->model) Close(std::move(slot->model));
  }

  void Close(std::unique_ptr<ModelBridge> model) {
    engine_->Retire(*model);
    ASSERT_TRUE(model->Drain(60 * kSecond)) << model->in_flight() << " requests never ended";
    ASSERT_TRUE(model->Close().ok());
  }

  void Reconfigure(Slot* slot) {
    const std::lock_guard<std::mutex> lock(slot->control);
    if (!slot->model) return;
    slot->model->Reconfigure(Scheduling());
    ++tally_.reconfigured;
  }

  void Infer(const Slot& slot) {
    CallOptions options;
    options.model = slot.name;
    options.priority = Below(3);
    options.timeout_us = Below(2) * Below(5'000);
    options.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
    auto call = engine_->Submit(options);
    if (!call.ok()) {
      ++tally_.refused;
      return;
    }
    ++tally_.taken;
    if (Below(8) == 0) {
      (*call)->Cancel();
      ++tally_.cancelled;
    }
    calls_.push_back(std::move(*call));
    if (calls_.size() >= 32) Finish(16);
  }

  // Waits for the oldest calls until so many are left; each has one answer, the final one.
  void Finish(size_t left) {
    while (calls_.size() > left) {
      const std::shared_ptr<CallBridge> call = std::move(calls_.front());
      calls_.erase(calls_.begin());
      ASSERT_TRUE(call->Wait(60 * kSecond)) << "request " << call->serial() << " was never answered";
      const auto answer = call->Take(0);
      ASSERT_NE(answer, nullptr);
      EXPECT_TRUE(answer->is_final());
      if (answer->error().ok()) {
        EXPECT_EQ(answer->outputs().at(0).byte_size, sizeof values_);
      }
      EXPECT_EQ(call->Take(0), nullptr);
      EXPECT_TRUE(call->is_exhausted());
      ++tally_.answered;
    }
  }

  EngineBridge* const engine_;
  std::array<Slot, kModels>& slots_;
  Tally& tally_;
  std::mt19937_64 random_;
  std::vector<std::shared_ptr<CallBridge>> calls_;
  const float values_[4] = {1, 2, 3, 4};
};

TEST(StressTest, EveryRequestIsAnsweredOnceWhateverHappensToItsModel) {
  auto engine = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine({}).value();
  std::array<Slot, kModels> slots;
  for (int i = 0; i < kModels; ++i) slots[static_cast<size_t>(i)].name = "m" + std::to_string(i);
  Tally tally;
  const auto until = std::chrono::steady_clock::now() + StressTime();
  std::vector<std::thread> threads;
  for (uint32_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] { Worker(engine.get(), &slots, &tally, seed).Run(until); });
  }
  for (std::thread& thread : threads) thread.join();
  for (Slot& slot : slots) {
    if (!slot.model) continue;
    engine->Retire(*slot.model);
    EXPECT_TRUE(slot.model->Drain(60 * kSecond));
    EXPECT_TRUE(slot.model->Close().ok());
  }
  EXPECT_GT(tally.taken, 0u);
  EXPECT_EQ(tally.answered, tally.taken);
  for (const PoolStatus& pool : engine->Pools()) EXPECT_EQ(pool.live_byte_size, 0u) << pool.name;
  std::printf("taken %llu, refused %llu, cancelled %llu, loads %llu, reconfigured %llu\n",
              static_cast<unsigned long long>(tally.taken), static_cast<unsigned long long>(tally.refused),
              static_cast<unsigned long long>(tally.cancelled), static_cast<unsigned long long>(tally.loads),
              static_cast<unsigned long long>(tally.reconfigured));
}

}  // namespace
}  // namespace workbench
