// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the core as its users load it: an engine through the bridge, and models of the test backends.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "engine/bridge.h"

namespace workbench {

constexpr uint64_t kSecond = 1'000'000'000;

class CoreTest : public ::testing::Test {
 protected:
  CoreTest() : engine_(TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine({}).value()) {}

  static ModelSpec Spec(bool is_dynamic = false, uint64_t delay_ns = 0, int instances = 1) {
    ModelSpec spec;
    spec.signature.name = "m";
    spec.signature.max_batch_size = 8;
    spec.signature.inputs.push_back({"IN", DataType::kFp32, {4}, false, {}, false, false, false});
    spec.signature.outputs.push_back({"OUT", DataType::kFp32, {4}, false, {}, false, false, false});
    spec.scheduling.batching = {is_dynamic, 8, delay_ns, {}};
    for (int i = 0; i < instances; ++i)
      spec.instances.push_back({"m_" + std::to_string(i), "CPU", 0, false, ""});
    spec.config_json = "{}";
    return spec;
  }

  std::unique_ptr<ModelBridge> Create(const char* backend, const ModelSpec& spec) {
    auto opened =
        engine_->OpenBackend("test", std::string(WB_TEST_BACKENDS) + "/libtriton_" + backend + ".so", "{}");
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    auto model = engine_->CreateModel(spec, opened->get());
    EXPECT_TRUE((*model)->Initialize().ok());
    return std::move(*model);
  }

  std::unique_ptr<ModelBridge> Load(const char* backend, const ModelSpec& spec) {
    auto model = Create(backend, spec);
    const Status status = model->Start(spec);
    EXPECT_TRUE(status.ok()) << status.message();
    engine_->Publish(*model);
    return model;
  }

  void Unload(std::unique_ptr<ModelBridge> model) {
    engine_->Retire(*model);
    EXPECT_TRUE(model->Drain(10 * kSecond));
    EXPECT_TRUE(model->Close().ok());
  }

  Result<std::shared_ptr<CallBridge>> Submit(const char* model = "m") {
    CallOptions options;
    options.model = model;
    options.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
    return engine_->Submit(options);
  }

  // The one answer of a call.
  std::shared_ptr<ResponseBridge> Answer(const std::shared_ptr<CallBridge>& call) {
    EXPECT_TRUE(call->Wait(10 * kSecond));
    return call->Take(0);
  }

  // For what is true soon after an answer: backends report once they have sent it.
  template <typename Condition>
  static void Await(Condition condition) {
    const uint64_t deadline_ns = SteadyClock::Read() + 10 * kSecond;
    while (!condition() && SteadyClock::Read() < deadline_ns) std::this_thread::yield();
    EXPECT_TRUE(condition());
  }

  std::vector<Event> EventsOf(EventKind kind) {
    std::vector<Event> found;
    for (const Event& event : engine_->ReadEvents(0, 1 << 20).events) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }

  float values_[4] = {1, 2, 3, 4};
  std::unique_ptr<EngineBridge> engine_;
};

}  // namespace workbench
