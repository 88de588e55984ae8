// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of a server, and what a server without a control plane says to those who manage it.
#include <optional>

#include "base/log.h"
#include "capi/interface_fixture.h"

namespace workbench {
namespace {

using testing::ElementsAre;
using testing::Pair;

// Keeps what it is asked.
struct FakeControlPlane final : ControlPlane {
  Result<EngineBridge*> NewServer(const ServerOptions& given) override {
    options = given;
    return UnavailableError("no server is made here");
  }
  Status DeleteServer(EngineBridge*) override { return OkStatus(); }
  Status StopServer(EngineBridge*) override { return Note("stop"); }
  Status SetExitTimeout(EngineBridge*, unsigned seconds) override {
    return Note("timeout " + std::to_string(seconds));
  }
  Status RegisterRepository(EngineBridge*, const std::string& path,
                            const std::map<std::string, std::string>& given) override {
    names = given;
    return Note("register " + path);
  }
  Status UnregisterRepository(EngineBridge*, const std::string& path) override {
    return Note("unregister " + path);
  }
  Status PollRepositories(EngineBridge*) override { return Note("poll"); }
  Status LoadModel(EngineBridge*, const std::string& name) override { return Note("load " + name); }
  Status LoadModelWith(EngineBridge*, const std::string& name, const LoadOverride& given) override {
    override_given = given;
    return Note("load " + name);
  }
  Status UnloadModel(EngineBridge*, const std::string& name, bool) override { return Note("unload " + name); }
  Result<std::string> Describe(EngineBridge*, const std::string& topic, const std::string&,
                               int64_t) override {
    return std::string(topic == "server_live" ? "true" : "false");
  }
  Status Note(const std::string& what) {
    asked.push_back(what);
    return OkStatus();
  }

  std::optional<ServerOptions> options;
  std::optional<LoadOverride> override_given;
  std::map<std::string, std::string> names;
  std::vector<std::string> asked;
};

class OptionsTest : public InterfaceTest {
 protected:
  OptionsTest() {
    EXPECT_OK(TRITONSERVER_ServerOptionsNew(&options_));
    TRITONWORKBENCH_Bridge(kBridgeVersion)->set_control_plane(control_);
  }
  ~OptionsTest() override {
    TRITONWORKBENCH_Bridge(kBridgeVersion)->set_control_plane(nullptr);
    EXPECT_OK(TRITONSERVER_ServerOptionsDelete(options_));
  }
  // What the control plane is told of them.
  const ServerOptions& Given() {
    TRITONSERVER_Server* made = nullptr;
    EXPECT_CODE(TRITONSERVER_ServerNew(&made, options_), UNAVAILABLE);
    return *control_->options;
  }

  std::shared_ptr<FakeControlPlane> control_ = std::make_shared<FakeControlPlane>();
  TRITONSERVER_ServerOptions* options_ = nullptr;
};

TEST_F(OptionsTest, ReachTheControlPlaneAsTheyWereSet) {
  EXPECT_OK(TRITONSERVER_ServerOptionsSetServerId(options_, "id"));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetModelRepositoryPath(options_, "a"));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetModelRepositoryPath(options_, "b"));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetModelConfigName(options_, "tuned"));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetExitOnError(options_, false));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetStrictReadiness(options_, false));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetPinnedMemoryPoolByteSize(options_, 1 << 20));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetCudaMemoryPoolByteSize(options_, 1, 2 << 20));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetCudaVirtualAddressSize(options_, 1, 3));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetModelLoadThreadCount(options_, 2));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetModelLoadRetryCount(options_, 3));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetBufferManagerThreadCount(options_, 4));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetModelNamespacing(options_, true));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetEnablePeerAccess(options_, false));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetMetrics(options_, false));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetMetricsInterval(options_, 500));
  const ServerOptions& given = Given();
  EXPECT_EQ(given.server_id, "id");
  EXPECT_THAT(given.repositories, ElementsAre("a", "b"));
  EXPECT_EQ(given.model_config_name, "tuned");
  EXPECT_FALSE(given.exit_on_error);
  EXPECT_FALSE(given.strict_readiness);
  EXPECT_EQ(given.pinned_memory_pool_byte_size, 1u << 20);
  EXPECT_THAT(given.cuda_memory_pool_byte_sizes, ElementsAre(Pair(1, 2u << 20)));
  EXPECT_THAT(given.cuda_virtual_address_sizes, ElementsAre(Pair(1, 3u)));
  EXPECT_EQ(given.model_load_thread_count, 2u);
  EXPECT_EQ(given.model_load_retry_count, 3u);
  EXPECT_EQ(given.buffer_manager_thread_count, 4u);
  EXPECT_TRUE(given.model_namespacing);
  EXPECT_FALSE(given.enable_peer_access);
  EXPECT_FALSE(given.metrics);
  EXPECT_EQ(given.metrics_interval_ms, 500u);
}

TEST_F(OptionsTest, ModesAreOfAClosedList) {
  EXPECT_OK(TRITONSERVER_ServerOptionsSetModelControlMode(options_, TRITONSERVER_MODEL_CONTROL_POLL));
  EXPECT_CODE(TRITONSERVER_ServerOptionsSetModelControlMode(options_, TRITONSERVER_ModelControlMode(3)),
              INVALID_ARG);
  EXPECT_OK(TRITONSERVER_ServerOptionsSetRateLimiterMode(options_, TRITONSERVER_RATE_LIMIT_EXEC_COUNT));
  EXPECT_CODE(TRITONSERVER_ServerOptionsSetRateLimiterMode(options_, TRITONSERVER_RateLimitMode(2)),
              INVALID_ARG);
  for (const int format : {2, 256}) {
    EXPECT_CODE(TRITONSERVER_ServerOptionsSetLogFormat(options_, TRITONSERVER_LogFormat(format)),
                INVALID_ARG);
  }
  EXPECT_EQ(Given().control_mode, TRITONSERVER_MODEL_CONTROL_POLL);
  EXPECT_EQ(Given().rate_limit_mode, TRITONSERVER_RATE_LIMIT_EXEC_COUNT);
}

TEST_F(OptionsTest, OfAResourceNamedTwiceTheSmallerCountHolds) {
  EXPECT_OK(TRITONSERVER_ServerOptionsAddRateLimiterResource(options_, "r", 5, -1));
  EXPECT_OK(TRITONSERVER_ServerOptionsAddRateLimiterResource(options_, "r", 3, -1));
  EXPECT_OK(TRITONSERVER_ServerOptionsAddRateLimiterResource(options_, "r", 9, 0));
  const auto& resources = Given().rate_limiter_resources;
  ASSERT_EQ(resources.size(), 2u);
  EXPECT_EQ(resources[0].count, 3u);
  EXPECT_EQ(resources[1].device, 0);
}

TEST_F(OptionsTest, TheOldCacheOptionIsTheLocalCacheOfThatSize) {
  EXPECT_OK(TRITONSERVER_ServerOptionsSetResponseCacheByteSize(options_, 0));
  EXPECT_TRUE(Given().cache_configs.empty());
  EXPECT_OK(TRITONSERVER_ServerOptionsSetResponseCacheByteSize(options_, 1024));
  EXPECT_THAT(Given().cache_configs, ElementsAre(Pair("local", "{\"size\": 1024}")));
}

TEST_F(OptionsTest, HostPoliciesAndDeviceLimitsAreCheckedWhenSet) {
  EXPECT_OK(TRITONSERVER_ServerOptionsSetHostPolicy(options_, "cpu", "numa-node", "0"));
  EXPECT_CODE(TRITONSERVER_ServerOptionsSetHostPolicy(options_, "cpu", "colour", "red"), UNSUPPORTED);
  const auto gpu = TRITONSERVER_INSTANCEGROUPKIND_GPU;
  EXPECT_OK(TRITONSERVER_ServerOptionsSetModelLoadDeviceLimit(options_, gpu, 0, 0.5));
  EXPECT_CODE(TRITONSERVER_ServerOptionsSetModelLoadDeviceLimit(options_, gpu, -1, 0.5), INVALID_ARG);
  EXPECT_CODE(TRITONSERVER_ServerOptionsSetModelLoadDeviceLimit(options_, gpu, 0, 1.5), INVALID_ARG);
  EXPECT_CODE(
      TRITONSERVER_ServerOptionsSetModelLoadDeviceLimit(options_, TRITONSERVER_INSTANCEGROUPKIND_CPU, 0, 0.5),
      INVALID_ARG);
  ASSERT_EQ(Given().backend_settings.size(), 1u);
  EXPECT_EQ(Given().backend_settings[0].setting, "model-load-gpu-limit-device-0");
}

TEST_F(OptionsTest, ThoseOfTheLogActAtOnce) {
  EXPECT_TRUE(TRITONSERVER_LogIsEnabled(TRITONSERVER_LOG_INFO));
  EXPECT_FALSE(TRITONSERVER_LogIsEnabled(TRITONSERVER_LOG_VERBOSE));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetLogInfo(options_, false));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetLogVerbose(options_, 1));
  EXPECT_FALSE(TRITONSERVER_LogIsEnabled(TRITONSERVER_LOG_INFO));
  EXPECT_TRUE(TRITONSERVER_LogIsEnabled(TRITONSERVER_LOG_VERBOSE));
  EXPECT_CODE(TRITONSERVER_ServerOptionsSetLogFile(options_, "/nowhere/at/all"), INTERNAL);
  EXPECT_OK(TRITONSERVER_ServerOptionsSetLogInfo(options_, true));
  EXPECT_OK(TRITONSERVER_ServerOptionsSetLogVerbose(options_, 0));
}

TEST_F(OptionsTest, ManagementReachesTheControlPlane) {
  bool is_so = false;
  EXPECT_OK(TRITONSERVER_ServerStop(server()));
  EXPECT_OK(TRITONSERVER_ServerSetExitTimeout(server(), 3));
  EXPECT_OK(TRITONSERVER_ServerUnregisterModelRepository(server(), "/models"));
  EXPECT_OK(TRITONSERVER_ServerPollModelRepository(server()));
  EXPECT_THAT(control_->asked, ElementsAre("stop", "timeout 3", "unregister /models", "poll"));
  EXPECT_OK(TRITONSERVER_ServerIsLive(server(), &is_so));
  EXPECT_TRUE(is_so);
  EXPECT_OK(TRITONSERVER_ServerIsReady(server(), &is_so));
  EXPECT_FALSE(is_so);
}

class ParametersTest : public OptionsTest {
 protected:
  ~ParametersTest() override {
    for (const auto* parameter : parameters_) {
      TRITONSERVER_ParameterDelete(const_cast<TRITONSERVER_Parameter*>(parameter));
    }
  }
  void Add(const char* name, const char* text) {
    parameters_.push_back(TRITONSERVER_ParameterNew(name, TRITONSERVER_PARAMETER_STRING, text));
  }
  void AddBytes(const char* name, const std::string& bytes) {
    parameters_.push_back(TRITONSERVER_ParameterBytesNew(name, bytes.data(), bytes.size()));
  }
  TRITONSERVER_Error* Load() {
    return TRITONSERVER_ServerLoadModelWithParameters(server(), "m", parameters_.data(), parameters_.size());
  }
  TRITONSERVER_Error* Register() {
    return TRITONSERVER_ServerRegisterModelRepository(server(), "/models", parameters_.data(),
                                                      parameters_.size());
  }
  std::vector<const TRITONSERVER_Parameter*> parameters_;
};

TEST_F(ParametersTest, OfALoadAreAConfigurationAndFiles) {
  const std::string bytes("a\0b", 3);
  Add("config", "{}");
  AddBytes("file:1/model.bin", bytes);
  EXPECT_OK(Load());
  EXPECT_EQ(control_->override_given->config_json, "{}");
  EXPECT_THAT(control_->override_given->files, ElementsAre(Pair("1/model.bin", bytes)));
}

TEST_F(ParametersTest, OfALoadThatMakeNoSenseAreRefused) {
  const std::string bytes = "x";
  AddBytes("file:1/model.bin", bytes);
  EXPECT_CODE(Load(), INTERNAL);  // files without a configuration
  AddBytes("config", bytes);
  EXPECT_CODE(Load(), INTERNAL);
  EXPECT_CODE(TRITONSERVER_ServerLoadModelWithParameters(server(), "m", nullptr, 1), INVALID_ARG);
  EXPECT_OK(TRITONSERVER_ServerLoadModelWithParameters(server(), "m", nullptr, 0));
}

TEST_F(ParametersTest, OfALoadThatNobodyKnowsAreRefused) {
  Add("colour", "red");
  EXPECT_CODE(Load(), INTERNAL);
}

TEST_F(ParametersTest, OfARepositoryGiveFoldersTheNamesOfModels) {
  Add("folder", "name");
  Add("other", "another");
  EXPECT_OK(Register());
  EXPECT_THAT(control_->names, ElementsAre(Pair("another", "other"), Pair("name", "folder")));
  Add("third", "name");
  EXPECT_CODE(Register(), INVALID_ARG);
  EXPECT_CODE(TRITONSERVER_ServerRegisterModelRepository(server(), "/models", nullptr, 1), INVALID_ARG);
}

TEST_F(ParametersTest, OfARepositoryAreStrings) {
  const std::string bytes = "x";
  AddBytes("folder", bytes);
  EXPECT_CODE(Register(), INVALID_ARG);
}

}  // namespace
}  // namespace workbench
