// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/load_report.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdint>

namespace workbench {
namespace {

// Of a cache, in blocks; -1: not told.
struct Blocks {
  double tokens_per = -1, used = -1, most = -1;

  bool is_whole() const { return tokens_per >= 0 && used >= 0 && most >= 0; }
  double utilization() const { return most > 0 ? used / most : 0; }
  uint64_t token_capacity() const { return static_cast<uint64_t>(most * tokens_per); }
};

void Read(const MetricSnapshot& metric, Blocks* blocks) {
  for (const auto& [name, value] : metric.labels) {
    if (name != "kv_cache_block_type") continue;
    if (value == "tokens_per") blocks->tokens_per = metric.value;
    if (value == "used") blocks->used = metric.value;
    if (value == "max") blocks->most = metric.value;
  }
}

// The last metric of a kind counts, as with the original.
Blocks BlocksOf(const std::vector<FamilySnapshot>& families) {
  Blocks blocks;
  for (const FamilySnapshot& family : families) {
    if (family.name != "nv_trt_llm_kv_cache_block_metrics") continue;
    for (const MetricSnapshot& metric : family.metrics) Read(metric, &blocks);
  }
  return blocks;
}

std::string JsonOf(const Blocks& blocks) {
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  writer.StartObject();
  writer.Key("named_metrics");
  writer.StartObject();
  writer.Key("kv_cache_utilization");
  writer.Double(blocks.utilization());
  writer.Key("max_token_capacity");
  writer.Uint64(blocks.token_capacity());
  writer.EndObject();
  writer.EndObject();
  return text.GetString();
}

}  // namespace

std::string LoadReportOf(std::string_view format, const std::vector<FamilySnapshot>& families) {
  const Blocks blocks = BlocksOf(families);
  if (!blocks.is_whole()) return {};
  if (format == "json") return "JSON " + JsonOf(blocks);
  if (format != "text") return {};
  return "TEXT named_metrics.kv_cache_utilization=" + std::to_string(blocks.utilization()) +
         ", named_metrics.max_token_capacity=" + std::to_string(blocks.token_capacity());
}

}  // namespace workbench
