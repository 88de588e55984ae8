// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/load_report.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

FamilySnapshot Cache(double used, double most, double tokens_per) {
  const auto metric = [](const char* kind, double value) {
    return MetricSnapshot{{{"kv_cache_block_type", kind}, {"model", "m"}}, value, {}};
  };
  return {"nv_trt_llm_kv_cache_block_metrics",
          "",
          MetricKind::kGauge,
          {metric("tokens_per", tokens_per), metric("used", used), metric("max", most), metric("free", 7)}};
}

TEST(LoadReportTest, TellsHowFullTheCacheIs) {
  EXPECT_EQ(LoadReportOf("json", {Cache(1, 4, 64)}),
            R"(JSON {"named_metrics":{"kv_cache_utilization":0.25,"max_token_capacity":256}})");
  EXPECT_EQ(LoadReportOf("text", {Cache(1, 4, 64)}),
            "TEXT named_metrics.kv_cache_utilization=0.250000, named_metrics.max_token_capacity=256");
}

TEST(LoadReportTest, ACacheWithoutBlocksIsEmpty) {
  EXPECT_EQ(LoadReportOf("text", {Cache(0, 0, 64)}),
            "TEXT named_metrics.kv_cache_utilization=0.000000, named_metrics.max_token_capacity=0");
}

TEST(LoadReportTest, WithoutAFormatOrACacheThereIsNone) {
  EXPECT_EQ(LoadReportOf("xml", {Cache(1, 4, 64)}), "");
  EXPECT_EQ(LoadReportOf("json", {}), "");
  EXPECT_EQ(LoadReportOf("json", {{"nv_other", "", MetricKind::kGauge, {}}}), "");
}

}  // namespace
}  // namespace workbench
