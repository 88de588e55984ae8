// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Instances of a model: how they come and go, warm up, share threads, follow host policies.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "capi/core_fixture.h"
#include "testing/observations.h"

namespace workbench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class InstancesTest : public CoreTest {
 protected:
  InstancesTest() { Reset(); }
  ~InstancesTest() override { Reset(); }

  static Observations& seen() {
    static void* const library = dlopen(WB_TEST_BACKENDS "/libtriton_observed.so", RTLD_NOW | RTLD_LOCAL);
    return *static_cast<Observations*>(dlsym(library, "wb_observations"));
  }
  static void Reset() {
    seen().~Observations();
    new (&seen()) Observations();
  }

  static InstanceSpec Instance(const std::string& name, const char* kind = "CPU", int device = 0) {
    InstanceSpec spec;
    spec.name = name;
    spec.kind = kind;
    spec.device_id = device;
    return spec;
  }
  static ModelSpec With(std::vector<InstanceSpec> instances) {
    ModelSpec spec = Spec();
    spec.instances = std::move(instances);
    return spec;
  }
  static WarmupSample Sample(uint32_t requests, uint32_t executions, std::vector<int64_t> shape = {1, 4}) {
    WarmupSample sample;
    sample.name = "w";
    sample.requests = requests;
    sample.executions = executions;
    sample.inputs.push_back({"IN", DataType::kFp32, std::move(shape), "warm" + std::string(12, '\0')});
    return sample;
  }
};

TEST_F(InstancesTest, AreWarmBeforeTheModelServes) {
  ModelSpec spec = With({Instance("a"), Instance("b")});
  spec.warmup = {Sample(3, 2), Sample(1, 1)};
  auto model = Load("observed", spec);
  EXPECT_THAT(seen().executions["a"], ElementsAre(3, 3, 1));
  EXPECT_THAT(seen().executions["b"], ElementsAre(3, 3, 1));
  EXPECT_THAT(seen().first_bytes["a"], Each("warm"));
  // As in the real server, what warms up counts.
  EXPECT_EQ(model->statistics().execution_count, 6u);
  EXPECT_EQ(model->in_flight(), 0u);
  EXPECT_TRUE(Answer(Submit().value())->error().ok());
  Unload(std::move(model));
}

TEST_F(InstancesTest, AFailingWarmUpFailsTheStart) {
  seen().fails_executions = 1;
  ModelSpec spec = With({Instance("a")});
  spec.warmup = {Sample(2, 1)};
  auto model = Create("observed", spec);
  const Status status = model->Start(spec);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("warm-up 'w' of instance 'a' failed: not today"));
  model.reset();
  EXPECT_THAT(seen().finalized, ElementsAre("a"));
}

TEST_F(InstancesTest, AWarmUpThatTheModelWouldRefuseFailsTheStart) {
  ModelSpec spec = With({Instance("a")});
  spec.warmup = {Sample(1, 1, {1, 5})};
  EXPECT_THAT(Create("observed", spec)->Start(spec).message(), HasSubstr("has shape [-1,4], got [1,5]"));
}

TEST_F(InstancesTest, AreAddedWhileTheOthersStay) {
  auto model = Load("observed", With({Instance("a")}));
  ASSERT_TRUE(model->UpdateInstances({Instance("a"), Instance("b"), Instance("c")}).ok());
  EXPECT_THAT(seen().initialized, ElementsAre("a", "b", "c"));
  EXPECT_THAT(seen().finalized, IsEmpty());
  EXPECT_TRUE(Answer(Submit().value())->error().ok());
  Unload(std::move(model));
}

TEST_F(InstancesTest, AreRemovedAndTheirCountsStay) {
  auto model = Load("observed", With({Instance("a"), Instance("b")}));
  for (int i = 0; i < 20; ++i) Answer(Submit().value());
  ASSERT_TRUE(model->UpdateInstances({Instance("b")}).ok());
  EXPECT_THAT(seen().finalized, ElementsAre("a"));
  EXPECT_EQ(model->statistics().success.count, 20u);
  EXPECT_TRUE(Answer(Submit().value())->error().ok());
  Unload(std::move(model));
}

TEST_F(InstancesTest, AnAlikeOneStandsForOneOfAnotherName) {
  auto model = Load("observed", With({Instance("a"), Instance("b")}));
  ASSERT_TRUE(model->UpdateInstances({Instance("z_0"), Instance("z_1"), Instance("z_2")}).ok());
  EXPECT_THAT(seen().initialized, ElementsAre("a", "b", "z_2"));
  Unload(std::move(model));
}

TEST_F(InstancesTest, StayAsTheyWereWhenANewOneFails) {
  auto model = Load("observed", With({Instance("a")}));
  seen().refuses_instance = "c";
  const Status status = model->UpdateInstances({Instance("b", "MODEL"), Instance("c", "MODEL")});
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_THAT(seen().finalized, ElementsAre("b"));
  EXPECT_TRUE(Answer(Submit().value())->error().ok());
  Unload(std::move(model));
}

TEST_F(InstancesTest, ComeAndGoUnderLoadAndLoseNoRequest) {
  auto model = Load("observed", With({Instance("a")}));
  std::atomic<bool> is_stopping{false};
  std::atomic<int> answered{0};
  std::vector<std::thread> senders;
  for (int i = 0; i < 3; ++i) {
    senders.emplace_back([&] {
      while (!is_stopping) {
        ASSERT_TRUE(Answer(Submit().value())->error().ok());
        ++answered;
      }
    });
  }
  for (int round = 0; round < 30; ++round) {
    std::vector<InstanceSpec> wanted;
    for (int i = 0; i <= round % 4; ++i) wanted.push_back(Instance("r" + std::to_string(round + i)));
    ASSERT_TRUE(model->UpdateInstances(wanted).ok());
    const int before = answered;
    while (answered < before + 20) std::this_thread::yield();
  }
  is_stopping = true;
  for (std::thread& sender : senders) sender.join();
  EXPECT_EQ(model->statistics().success.count, static_cast<uint64_t>(answered));
  Unload(std::move(model));
  EXPECT_EQ(seen().initialized.size(), seen().finalized.size());
}

TEST_F(InstancesTest, OfABackendThatBlocksADeviceShareItsThread) {
  seen().blocks_device = true;
  ModelSpec spec = With({Instance("a", "GPU", 0), Instance("b", "GPU", 0), Instance("c", "GPU", 1)});
  spec.warmup = {Sample(1, 1)};
  auto model = Load("observed", spec);
  EXPECT_EQ(seen().threads["a"], seen().threads["b"]);
  EXPECT_NE(seen().threads["a"], seen().threads["c"]);
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(Answer(Submit().value())->error().ok());
  EXPECT_THAT(seen().threads["a"], SizeIs(1));
  Unload(std::move(model));
}

TEST_F(InstancesTest, ThatArePassiveNeverExecute) {
  InstanceSpec passive = Instance("p");
  passive.is_passive = true;
  ModelSpec spec = With({passive, Instance("a")});
  spec.warmup = {Sample(1, 1)};
  auto model = Load("observed", spec);
  for (int i = 0; i < 20; ++i) Answer(Submit().value());
  EXPECT_THAT(seen().initialized, ElementsAre("p", "a"));
  EXPECT_THAT(seen().executions["p"], IsEmpty());
  Unload(std::move(model));
  EXPECT_THAT(seen().finalized, UnorderedElementsAre("p", "a"));
}

TEST_F(InstancesTest, AreInitializedOneAfterTheOtherUnlessTheBackendAllowsMore) {
  seen().meet = 2;
  seen().loads_in_parallel = true;
  auto model = Load("observed", With({Instance("a"), Instance("b")}));
  EXPECT_THAT(seen().initialized, UnorderedElementsAre("a", "b"));
  EXPECT_EQ(seen().met, 2);
  Unload(std::move(model));
}

TEST_F(InstancesTest, FollowTheirHostPolicy) {
  EngineOptions options;
  options.host_policies["pinned"] = {{"cpu-cores", "0"}, {"note", "\"quoted\""}};
  engine_ = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options).value();
  InstanceSpec pinned = Instance("a");
  pinned.host_policy = "pinned";
  auto model = Load("observed", With({pinned}));
  Answer(Submit().value());
  EXPECT_EQ(seen().allowed_cores["a"], 1);
  EXPECT_EQ(seen().policies["a"], R"({"pinned":{"cpu-cores":"0","note":"\"quoted\""}})");
  Unload(std::move(model));
}

TEST_F(InstancesTest, WhoseHostPolicyIsWrongFailTheStart) {
  EngineOptions options;
  options.host_policies["cpu"] = {{"cpu-cores", "many"}};
  engine_ = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options).value();
  const Status status = Create("observed", With({Instance("a")}))->Start(With({Instance("a")}));
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("cpu-cores is 'many'"));
}

}  // namespace
}  // namespace workbench
