// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Response caches of the core: its own, and one in a shared object behind the TRITONCACHE interface.
#include <gmock/gmock.h>

#include "capi/core_fixture.h"
#include "triton/core/tritoncache.h"

namespace workbench {
namespace {

using ::testing::HasSubstr;

std::string CachePath(const char* name) {
  return std::string(WB_TEST_BACKENDS) + "/libtritoncache_" + name + ".so";
}

class CacheTest : public CoreTest {
 protected:
  void Restart(uint64_t byte_size, std::optional<CacheLibrary> library = std::nullopt) {
    EngineOptions options;
    options.cache_byte_size = byte_size;
    options.cache_library = std::move(library);
    engine_ = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options).value();
  }
  static ModelSpec Cached(bool is_dynamic = false) {
    ModelSpec spec = Spec(is_dynamic);
    spec.is_cached = true;
    return spec;
  }
  void InferTenTimes() {
    for (int i = 0; i < 10; ++i) {
      const auto response = Answer(Submit().value());
      ASSERT_TRUE(response->error().ok());
      ASSERT_EQ(response->outputs().size(), 1u);
      EXPECT_EQ(0, memcmp(response->outputs()[0].base, values_, sizeof values_));
    }
  }
  // A backend reports an execution after it has let its requests go.
  static StatisticsSnapshot AfterExecutions(const ModelBridge& model, uint64_t count) {
    Await([&] { return model.statistics().execution_count >= count; });
    return model.statistics();
  }
  static void ExpectNineHits(const ModelBridge& model) {
    const StatisticsSnapshot counts = AfterExecutions(model, 1);
    EXPECT_EQ(counts.success.count, 10u);
    EXPECT_EQ(counts.execution_count, 1u);
    EXPECT_EQ(counts.inference_count, 1u);
    EXPECT_EQ(counts.cache_hit.count, 9u);
    EXPECT_EQ(counts.cache_miss.count, 1u);
  }
};

TEST_F(CacheTest, EqualRequestsAreComputedOnce) {
  for (const bool is_dynamic : {false, true}) {
    Restart(1 << 20);
    auto model = Load("echo", Cached(is_dynamic));
    InferTenTimes();
    ExpectNineHits(*model);
    EXPECT_EQ(engine_->Pools()[0].live_byte_size, 0u);
    Unload(std::move(model));
  }
}

TEST_F(CacheTest, AReloadForgets) {
  Restart(1 << 20);
  auto model = Load("echo", Cached());
  InferTenTimes();
  EXPECT_EQ(engine_->CacheStatistics()->entries, 1u);
  auto next = Load("echo", Cached());
  EXPECT_EQ(engine_->CacheStatistics()->entries, 0u);
  model.reset();
  InferTenTimes();
  ExpectNineHits(*next);
  Unload(std::move(next));
}

TEST_F(CacheTest, AnErrorIsNotKept) {
  Restart(1 << 20);
  auto model = Load("fails", Cached());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Answer(Submit().value())->error().code(), StatusCode::kUnavailable);
  EXPECT_EQ(model->statistics().cache_hit.count, 0u);
  Unload(std::move(model));
}

TEST_F(CacheTest, ACacheInASharedObjectServes) {
  Restart(0, CacheLibrary{CachePath("all"), "{}"});
  auto model = Load("echo", Cached());
  InferTenTimes();
  ExpectNineHits(*model);
  EXPECT_EQ(engine_->CacheStatistics()->hits, 9u);
  Unload(std::move(model));
}

TEST_F(CacheTest, ACacheThatKeepsNothingCostsOnlyTheLookup) {
  Restart(0, CacheLibrary{CachePath("all"), "{\"keeps\": \"nothing\"}"});
  auto model = Load("echo", Cached());
  InferTenTimes();
  EXPECT_EQ(AfterExecutions(*model, 10).execution_count, 10u);
  EXPECT_EQ(model->statistics().cache_miss.count, 10u);
  Unload(std::move(model));
}

TEST_F(CacheTest, WhatIsNoCacheIsRefused) {
  EngineOptions options;
  options.cache_library = CacheLibrary{std::string(WB_TEST_BACKENDS) + "/libtriton_echo.so", "{}"};
  const auto engine = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options);
  EXPECT_EQ(engine.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(engine.status().message(), HasSubstr("TRITONCACHE_CacheInitialize"));
}

TEST_F(CacheTest, TheInterfaceTellsItsVersion) {
  uint32_t major = 7;
  uint32_t minor = 7;
  ASSERT_EQ(TRITONCACHE_ApiVersion(&major, &minor), nullptr);
  EXPECT_EQ(major, 0u);
  EXPECT_EQ(minor, 1u);
}

}  // namespace
}  // namespace workbench
