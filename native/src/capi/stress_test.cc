// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Sixteen threads load, infer, cancel, reload, reconfigure, trace and unload at random, models of every
// scheduler: every request that was taken is answered once, and at the end nothing is held. Meant for the
// sanitizers; WB_STRESS_SECONDS says how long.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "capi/stress_models.h"
#include "engine/bridge.h"

namespace workbench {
namespace {

constexpr int kThreads = 16;
// The ensembles' steps run on the first four.
const std::vector<std::pair<std::string, SlotKind>> kSlots = {
    {"m0", SlotKind::kPlain},    {"m1", SlotKind::kPlain},     {"m2", SlotKind::kPlain},
    {"m3", SlotKind::kPlain},    {"s0", SlotKind::kSequences}, {"s1", SlotKind::kSequences},
    {"e0", SlotKind::kEnsemble}, {"e1", SlotKind::kEnsemble}};
const std::vector<std::string> kMembers = {"m0", "m1", "m2", "m3"};
constexpr uint32_t kStart = 1;  // TRITONSERVER_REQUEST_FLAG_SEQUENCE_START
constexpr uint32_t kEnd = 2;    // TRITONSERVER_REQUEST_FLAG_SEQUENCE_END

std::chrono::seconds StressTime() {
  const char* const text = std::getenv("WB_STRESS_SECONDS");
  return std::chrono::seconds(text != nullptr ? std::atoi(text) : 2);
}

// One name that models come and go under. Its control is one thread's at a time, as the interface asks.
struct Slot {
  std::mutex control;
  std::string name;
  SlotKind kind = SlotKind::kPlain;
  std::unique_ptr<ModelBridge> model;
};
using Slots = std::vector<std::unique_ptr<Slot>>;

struct Tally {
  std::atomic<uint64_t> taken{0}, answered{0}, refused{0}, cancelled{0}, loads{0}, reconfigured{0},
      updated{0}, traces{0};
};

class Worker {
 public:
  Worker(EngineBridge* engine, Slots* slots, Tally* tally, uint32_t seed)
      : engine_(engine), slots_(*slots), tally_(*tally), random_(seed), first_id_(1 + 4 * seed) {}

  void Run(std::chrono::steady_clock::time_point until) {
    while (std::chrono::steady_clock::now() < until) {
      Slot& slot = *slots_[Below(slots_.size())];
      const uint64_t dice = Below(1000);
      if (dice < 4) {
        Reload(&slot);
      } else if (dice < 6) {
        Unload(&slot);
      } else if (dice < 16) {
        Reconfigure(&slot);
      } else if (dice < 20) {
        UpdateInstances(&slot);
      } else if (dice < 22) {
        Trace(slot);
      } else {
        Infer(slot);
      }
    }
    Finish(0);
  }

 private:
  uint64_t Below(uint64_t bound) { return random_.Below(bound); }

  // The new one serves before the old one goes.
  void Reload(Slot* slot) {
    const std::lock_guard<std::mutex> lock(slot->control);
    static constexpr const char* kBackends[] = {"echo", "echo", "fails", "throws", "reports_nothing"};
    const std::string path = std::string(WB_TEST_BACKENDS) + "/libtriton_" + kBackends[Below(5)] + ".so";
    auto backend = engine_->OpenBackend("test", path, "{}");
    ASSERT_TRUE(backend.ok()) << backend.status().message();
    const ModelSpec spec = random_.Spec(slot->name, slot->kind, kMembers);
    auto model = engine_->CreateModel(spec, spec.ensemble ? nullptr : backend->get());
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
    if (!slot->model || slot->kind == SlotKind::kEnsemble) return;
    slot->model->Reconfigure(random_.Scheduling(slot->kind));
    ++tally_.reconfigured;
  }

  // A sequence is bound to its instance: theirs stay.
  void UpdateInstances(Slot* slot) {
    const std::lock_guard<std::mutex> lock(slot->control);
    if (!slot->model || slot->kind != SlotKind::kPlain) return;
    const Status status = slot->model->UpdateInstances(random_.Instances(slot->name));
    ASSERT_TRUE(status.ok()) << status.message();
    ++tally_.updated;
  }

  void Trace(const Slot& slot) {
    TraceSettings settings;
    settings.level = static_cast<uint32_t>(2 + 2 * Below(4));
    settings.rate = 1 + Below(100);
    engine_->SetTrace(Below(2) == 0 ? "" : slot.name,
                      Below(3) == 0 ? std::nullopt : std::make_optional(settings));
    tally_.traces += engine_->TakeTraces().records.size();
    engine_->MetricsPage();
  }

  void Infer(const Slot& slot) {
    CallOptions options;
    options.model = slot.name;
    options.priority = Below(3);
    options.timeout_us = Below(2) * Below(5'000);
    if (slot.kind == SlotKind::kSequences) {  // now and then one that breaks the rules
      options.correlation_id = first_id_ + Below(4);
      options.flags = (Below(4) == 0 ? kStart : 0) | (Below(4) == 0 ? kEnd : 0);
    }
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
  Slots& slots_;
  Tally& tally_;
  RandomModels random_;
  const uint64_t first_id_;  // of this thread's sequences
  std::vector<std::shared_ptr<CallBridge>> calls_;
  const float values_[4] = {1, 2, 3, 4};
};

TEST(StressTest, EveryRequestIsAnsweredOnceWhateverHappensToItsModel) {
  EngineOptions options;
  options.cache_byte_size = 1 << 16;
  options.rate_limits.emplace();
  auto engine = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options).value();
  Slots slots;
  for (const auto& [name, kind] : kSlots) {
    slots.push_back(std::make_unique<Slot>());
    slots.back()->name = name;
    slots.back()->kind = kind;
  }
  Tally tally;
  const auto until = std::chrono::steady_clock::now() + StressTime();
  std::vector<std::thread> threads;
  for (uint32_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] { Worker(engine.get(), &slots, &tally, seed).Run(until); });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto slot = slots.rbegin(); slot != slots.rend(); ++slot) {  // ensembles before their members
    ModelBridge* const model = (*slot)->model.get();
    if (model == nullptr) continue;
    engine->Retire(*model);
    EXPECT_TRUE(model->Drain(60 * kSecond));
    EXPECT_TRUE(model->Close().ok());
    (*slot)->model.reset();  // a scheduler keeps the states of sequences that ended for the next ones
  }
  EXPECT_GT(tally.taken, 0u);
  EXPECT_EQ(tally.answered, tally.taken);
  for (const PoolStatus& pool : engine->Pools()) EXPECT_EQ(pool.live_byte_size, 0u) << pool.name;
  const auto print = [](const char* name, const std::atomic<uint64_t>& count) {
    std::printf("%s %llu  ", name, static_cast<unsigned long long>(count));
  };
  print("taken", tally.taken), print("refused", tally.refused), print("cancelled", tally.cancelled);
  print("loads", tally.loads), print("reconfigured", tally.reconfigured), print("updated", tally.updated);
  print("traces", tally.traces);
  std::printf("\n");
}

}  // namespace
}  // namespace workbench
