// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Execution that returns while a GPU works, on the stand-in: its streams are late, and it sees memory that is
// used after it was given back. Tests try to end what the work needs before the work is done.
#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "capi/core_fixture.h"
#include "testing/cuda_stand_in.h"

namespace workbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GpuTest : public CoreTest {
 protected:
  GpuTest() {
    setenv("WORKBENCH_CUDA_DRIVER", CudaStandIn::path().c_str(), 1);
    engine_ = NewEngine({});
  }
  ~GpuTest() override {
    EXPECT_EQ(stand_in_.violations(), 0);
    unsetenv("WORKBENCH_CUDA_DRIVER");
  }

  static std::unique_ptr<EngineBridge> NewEngine(EngineOptions options) {
    options.cuda_driver = CudaStandIn::path();
    return TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options).value();
  }
  static ModelSpec GpuSpec(int instances = 1, bool is_dynamic = false) {
    ModelSpec spec = Spec(is_dynamic, 0, instances);
    for (InstanceSpec& instance : spec.instances) instance.kind = "GPU";
    spec.config_json = R"({"max_batch_size":8})";
    return spec;
  }
  std::vector<float> ValuesOf(const ResponseBridge& response) const {
    const TensorOutput output = response.outputs()[0];
    const std::vector<char> bytes = stand_in_.Read(output.base, output.byte_size);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  void ExpectAnswered(const std::shared_ptr<CallBridge>& call) {
    const auto response = Answer(call);
    ASSERT_TRUE(response);
    EXPECT_TRUE(response->error().ok()) << response->error().message();
    EXPECT_THAT(ValuesOf(*response), ElementsAre(1, 2, 3, 4));
  }
  std::vector<std::shared_ptr<CallBridge>> SubmitSome(int count) {
    std::vector<std::shared_ptr<CallBridge>> calls;
    for (int i = 0; i < count; ++i) calls.push_back(Submit().value());
    return calls;
  }
  static uint64_t Copied(const ModelBridge& model, CopyReason reason) {
    return model.statistics().copies[static_cast<size_t>(reason)];
  }

  CudaStandIn stand_in_{{1, size_t{16} << 20, size_t{16} << 20, 2000, ""}};
};

TEST_F(GpuTest, AnswersComeFromTheStreamAfterExecuteReturned) {
  auto model = Load("gpu", GpuSpec());
  const auto calls = SubmitSome(10);
  Await([&] { return model->queue_length() == 0; });
  EXPECT_GT(model->in_flight(), 0u);  // the instance is free, and the GPU works still
  for (const auto& call : calls) ExpectAnswered(call);
  Await([&] { return model->statistics().success.count == 10; });
  Unload(std::move(model));
}

TEST_F(GpuTest, BatchesAreGatheredAndScatteredByTheStream) {
  auto model = Load("gpu", GpuSpec(1, true));
  for (const auto& call : SubmitSome(64)) ExpectAnswered(call);
  EXPECT_EQ(Copied(*model, CopyReason::kHostToDevice), 64u * 16);
  EXPECT_EQ(Copied(*model, CopyReason::kBroughtHome), 64u * 16);
  Unload(std::move(model));
}

TEST_F(GpuTest, AnUnloadWaitsForTheGpu) {
  auto model = Load("gpu", GpuSpec(2));
  const auto calls = SubmitSome(20);
  Unload(std::move(model));
  for (const auto& call : calls) ExpectAnswered(call);
  for (const PoolStatus& pool : engine_->Pools()) {
    if (pool.place.type == MemoryType::kGpu) EXPECT_EQ(pool.live_byte_size, 0u);
  }
}

TEST_F(GpuTest, AModelThatIsClosedWhileTheGpuWorksAnswersFirst) {
  auto model = Load("gpu", GpuSpec());
  const auto calls = SubmitSome(5);
  Await([&] { return model->queue_length() == 0; });
  engine_->Retire(*model);
  model.reset();  // nobody drained it
  for (const auto& call : calls) ExpectAnswered(call);
}

TEST_F(GpuTest, ASenderThatGoesLosesNothingThatTheGpuWrites) {
  auto model = Load("gpu", GpuSpec(2));
  for (int i = 0; i < 20; ++i) (void)Submit();
  for (const auto& call : SubmitSome(20)) call->Cancel();
  Unload(std::move(model));
}

TEST_F(GpuTest, AnswersOutliveTheServer) {
  auto model = Load("gpu", GpuSpec());
  CallOptions options;
  options.model = "m";
  options.wants_device_outputs = true;
  options.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
  const auto call = engine_->Submit(options).value();
  const auto response = Answer(call);
  Unload(std::move(model));
  engine_.reset();
  EXPECT_EQ(response->outputs()[0].place.type, MemoryType::kGpu);
  EXPECT_THAT(ValuesOf(*response), ElementsAre(1, 2, 3, 4));
}

TEST_F(GpuTest, AnArrayOfTheGpuIsReadWhereItLies) {
  auto model = Load("gpu", GpuSpec());
  CallOptions options;
  options.model = "m";
  options.wants_device_outputs = true;
  options.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
  const auto first = Answer(engine_->Submit(options).value());
  const TensorOutput output = first->outputs()[0];
  options.inputs[0].base = output.base;
  options.inputs[0].place = output.place;
  options.has_device_inputs = true;
  const auto second = Answer(engine_->Submit(options).value());
  EXPECT_THAT(ValuesOf(*second), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(Copied(*model, CopyReason::kHostToDevice), 16u);  // of the first alone
  EXPECT_EQ(Copied(*model, CopyReason::kGathered), 0u);
  EXPECT_EQ(Copied(*model, CopyReason::kBroughtHome), 0u);
  Unload(std::move(model));
}

TEST_F(GpuTest, AModelOnTheProcessorGetsACopyOfAGpusArray) {
  auto on_gpu = Load("gpu", GpuSpec());
  CallOptions options;
  options.model = "m";
  options.wants_device_outputs = true;
  options.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
  const auto first = Answer(engine_->Submit(options).value());
  ModelSpec spec = Spec();
  spec.signature.name = "cpu";
  auto on_cpu = Load("echo", spec);
  const TensorOutput output = first->outputs()[0];
  options.model = "cpu";
  options.inputs[0].base = output.base;
  options.inputs[0].place = output.place;
  options.has_device_inputs = true;
  const auto second = Answer(engine_->Submit(options).value());
  EXPECT_EQ(second->outputs()[0].place.type, MemoryType::kCpu);
  EXPECT_THAT(ValuesOf(*second), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(Copied(*on_cpu, CopyReason::kDeviceToHost), 16u);
  Unload(std::move(on_cpu));
  Unload(std::move(on_gpu));
}

TEST_F(GpuTest, AFullPoolFailsTheRequestsThatNeedItAndNoOthers) {
  EngineOptions options;
  options.cuda_memory_pool_byte_sizes[0] = 64;
  engine_ = NewEngine(options);
  auto model = Load("gpu", GpuSpec());
  const auto refused = Answer(Submit().value());
  EXPECT_THAT(refused->error().message(), HasSubstr("GPU 0 pool is full"));
  ModelSpec spec = Spec();
  spec.signature.name = "cpu";
  auto on_cpu = Load("echo", spec);
  ExpectAnswered(Submit("cpu").value());
  Unload(std::move(on_cpu));
  Unload(std::move(model));
}

TEST_F(GpuTest, ADriverThatFailsAtAnyCallFailsTheRequestAndLosesNothing) {
  auto model = Load("gpu", GpuSpec());
  ExpectAnswered(Submit().value());
  for (const char* function : {"cuMemcpyAsync:1:719", "cuMemcpyAsync:2:719", "cuMemcpyAsync:3:719",
                               "cuCtxPushCurrent_v2:1:719", "cuCtxPushCurrent_v2:3:719"}) {
    stand_in_.Fail(function);
    const auto response = Answer(Submit().value());
    EXPECT_THAT(response->error().message(), HasSubstr("CUDA error 719")) << function;
  }
  stand_in_.Fail("cuLaunchHostFunc:1:719");  // nobody tells when the stream is done: the backend waits for it
  ExpectAnswered(Submit().value());
  stand_in_.Fail("");
  ExpectAnswered(Submit().value());
  Unload(std::move(model));
}

TEST_F(GpuTest, ManySendersAndReloadsLoseNothing) {
  auto model = Load("gpu", GpuSpec(2, true));
  std::atomic<int> answered{0};
  std::atomic<bool> is_over{false};
  std::vector<std::thread> senders;
  for (int i = 0; i < 3; ++i) {
    senders.emplace_back([&] {
      for (int round = 0; round < 40; ++round) {
        auto call = Submit();
        if (!call.ok()) continue;
        const auto response = Answer(*call);
        answered += response && response->error().ok();
      }
    });
  }
  std::thread reloader([&] {
    while (!is_over) {
      auto next = Load("gpu", GpuSpec(2, true));
      std::swap(model, next);
      Unload(std::move(next));
    }
  });
  for (std::thread& sender : senders) sender.join();
  is_over = true;
  reloader.join();
  EXPECT_EQ(answered, 120);
  Unload(std::move(model));
}

}  // namespace
}  // namespace workbench
