// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/config_completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using ::testing::HasSubstr;

constexpr char kBefore[] =
    R"({"name":"m","max_batch_size":0,"input":[],"output":[],"instance_group":[{"name":"m","count":1}],"parameters":{}})";

std::string Completed(const std::string& told, const std::string& before = kBefore) {
  Result<std::string> config = CompleteConfig(before, told);
  EXPECT_TRUE(config.ok()) << config.status().message();
  return config.ok() ? *config : "";
}

TEST(ConfigCompletionTest, TensorsGetTheFieldsThatTheBackendLeftOut) {
  const std::string config = Completed(
      R"({"max_batch_size":4,"input":[{"name":"A","data_type":"TYPE_FP32","dims":[2]}],"output":[{"name":"B","dims":[1]}]})");
  EXPECT_THAT(config, HasSubstr(R"("max_batch_size":4)"));
  EXPECT_THAT(config,
              HasSubstr(R"("input":[{"name":"A","data_type":"TYPE_FP32","format":"FORMAT_NONE","dims":[2],)"
                        R"("is_shape_tensor":false,"allow_ragged_batch":false,"optional":false,)"
                        R"("is_non_linear_format_io":false}])"));
  EXPECT_THAT(
      config,
      HasSubstr(R"("output":[{"name":"B","data_type":"TYPE_INVALID","dims":[1],"label_filename":"",)"));
}

TEST(ConfigCompletionTest, WhatTheBackendSaysOfATensorStays) {
  EXPECT_THAT(Completed(R"({"input":[{"name":"A","optional":true,"reshape":{"shape":[]}}]})"),
              HasSubstr(R"("optional":true,"is_non_linear_format_io":false,"reshape":{"shape":[]}}])"));
}

TEST(ConfigCompletionTest, WhatIsNotTheBackendsToSetStays) {
  const std::string config = Completed(R"({"name":"other","instance_group":[],"parameters":{"a":{}}})");
  EXPECT_THAT(config, HasSubstr(R"({"name":"m",)"));
  EXPECT_THAT(config, HasSubstr(R"("instance_group":[{"name":"m","count":1}],"parameters":{})"));
}

TEST(ConfigCompletionTest, SchedulerIsTheBackendsWhereThereIsNone) {
  const char* const told = R"({"dynamic_batching":{"max_queue_delay_microseconds":7}})";
  EXPECT_THAT(Completed(told), HasSubstr(R"("dynamic_batching":{"preferred_batch_size":[],)"
                                         R"("max_queue_delay_microseconds":7,"preserve_ordering":false,)"));
  const std::string kept = Completed(told, R"({"sequence_batching":{"direct":{}}})");
  EXPECT_THAT(kept, HasSubstr(R"("sequence_batching":{"direct":{}})"));
  EXPECT_THAT(kept, Not(HasSubstr("dynamic_batching")));
}

TEST(ConfigCompletionTest, DecouplingIsTheBackends) {
  EXPECT_THAT(Completed(R"({"model_transaction_policy":{"decoupled":true}})"),
              HasSubstr(R"({"decoupled":true})"));
  EXPECT_THAT(Completed(R"({"model_transaction_policy":{}})"), HasSubstr(R"({"decoupled":false})"));
}

TEST(ConfigCompletionTest, WhatIsNoObjectIsRefused) {
  for (const char* const told : {"", "[]", "{", "{\"input\":}"}) {
    EXPECT_EQ(CompleteConfig(kBefore, told).status().code(), StatusCode::kInvalidArgument) << told;
  }
}

}  // namespace
}  // namespace workbench
