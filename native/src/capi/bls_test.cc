// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Backends that ask other models of their own server (business logic scripting).
#include <gmock/gmock.h>

#include <map>
#include <thread>

#include "capi/core_fixture.h"

namespace workbench {
namespace {

using ::testing::HasSubstr;

class BlsTest : public CoreTest {
 protected:
  ~BlsTest() override {
    for (auto& [name, model] : models_) Unload(std::move(model));
  }

  void Serve(const char* backend, const char* name) {
    ModelSpec spec = Spec();
    spec.signature.name = name;
    models_[name] = Load(backend, spec);
  }
  std::shared_ptr<ResponseBridge> Infer(const char* model) { return Answer(Submit(model).value()); }

  std::map<std::string, std::unique_ptr<ModelBridge>> models_;
};

TEST_F(BlsTest, ABackendAsksAnotherModel) {
  Serve("echo", "echo");
  Serve("calls", "calls_echo");
  const auto response = Infer("calls_echo");
  ASSERT_TRUE(response->error().ok()) << response->error().message();
  EXPECT_EQ(0, memcmp(response->outputs()[0].base, values_, sizeof values_));
  Await([&] { return models_["echo"]->statistics().success.count == 1u; });  // counted behind the answer
}

TEST_F(BlsTest, AskingNests) {
  Serve("echo", "echo");
  Serve("calls", "calls_echo");
  Serve("calls", "calls_calls_echo");
  EXPECT_TRUE(Infer("calls_calls_echo")->error().ok());
}

TEST_F(BlsTest, AnErrorOfTheOtherModelArrives) {
  Serve("fails", "fails");
  Serve("calls", "calls_fails");
  const auto response = Infer("calls_fails");
  EXPECT_EQ(response->error().code(), StatusCode::kUnavailable);
  EXPECT_THAT(response->error().message(), HasSubstr("not today"));
}

TEST_F(BlsTest, AModelThatIsNotThereIsAnError) {
  Serve("calls", "calls_nobody");
  EXPECT_EQ(Infer("calls_nobody")->error().code(), StatusCode::kNotFound);
}

TEST_F(BlsTest, ABackendAsksAnEnsembleThatRunsOnItsSibling) {
  Serve("echo", "echo");
  ModelSpec spec = Spec(false, 0, 0);
  spec.signature.name = "composed";
  spec.ensemble = EnsembleOptions{{{"echo", -1, {{"IN", "IN"}}, {{"OUT", "OUT"}}, false}}, 0};
  auto composed = engine_->CreateModel(spec, nullptr).value();
  ASSERT_TRUE(composed->Initialize().ok());
  ASSERT_TRUE(composed->Start(spec).ok());
  engine_->Publish(*composed);
  Serve("calls", "calls_composed");
  EXPECT_TRUE(Infer("calls_composed")->error().ok());
  Unload(std::move(composed));
}

// One instance each: whoever waits holds a thread of its own model alone.
TEST_F(BlsTest, ManyAtOnceDoNotBlockEachOther) {
  Serve("echo", "echo");
  Serve("calls", "calls_echo");
  Serve("calls", "calls_calls_echo");
  std::vector<std::thread> senders;
  for (int i = 0; i < 8; ++i) {
    senders.emplace_back([&, i] {
      const char* const model = i % 2 == 0 ? "calls_echo" : "calls_calls_echo";
      for (int k = 0; k < 50; ++k) EXPECT_TRUE(Infer(model)->error().ok());
    });
  }
  for (std::thread& sender : senders) sender.join();
  Await([&] { return models_["echo"]->statistics().success.count == 400u; });  // counted behind the answer
}

}  // namespace
}  // namespace workbench
