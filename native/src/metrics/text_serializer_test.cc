// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/text_serializer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace workbench {
namespace {

std::string LineOf(const MetricSnapshot& metric) {
  const std::string text = SerializeText({{"x", "", MetricKind::kGauge, {metric}}});
  return text.substr(text.find('\n', text.find('\n') + 1) + 1);
}

TEST(TextSerializerTest, HasNothingToSayOfNothing) { EXPECT_EQ(SerializeText({}), ""); }

TEST(TextSerializerTest, ShowsFamilyThenItsMetrics) {
  const Labels labels{{"model", "echo"}, {"version", "1"}};
  EXPECT_EQ(
      SerializeText(
          {{"nv_inference_request_success", "Answered requests", MetricKind::kCounter, {{labels, 3, {}}}}}),
      "# HELP nv_inference_request_success Answered requests\n"
      "# TYPE nv_inference_request_success counter\n"
      "nv_inference_request_success{model=\"echo\",version=\"1\"} 3\n");
}

TEST(TextSerializerTest, ShowsBucketsAsSumsOfAllBelow) {
  MetricSnapshot metric;
  metric.labels = {{"model", "echo"}};
  metric.histogram = {{0.5, 100}, {2, 3, 1}, 251.25};
  EXPECT_EQ(SerializeText({{"latency", "", MetricKind::kHistogram, {metric}}}),
            "# HELP latency \n"
            "# TYPE latency histogram\n"
            "latency_bucket{model=\"echo\",le=\"0.5\"} 2\n"
            "latency_bucket{model=\"echo\",le=\"100\"} 5\n"
            "latency_bucket{model=\"echo\",le=\"+Inf\"} 6\n"
            "latency_sum{model=\"echo\"} 251.25\n"
            "latency_count{model=\"echo\"} 6\n");
}

TEST(TextSerializerTest, ShowsASummaryWithItsQuantiles) {
  MetricSnapshot metric;
  metric.labels = {{"model", "echo"}};
  metric.summary = {{{0.5, 7}, {0.99, std::nan("")}}, 3, 21};
  EXPECT_EQ(SerializeText({{"latency", "", MetricKind::kSummary, {metric}}}),
            "# HELP latency \n"
            "# TYPE latency summary\n"
            "latency_count{model=\"echo\"} 3\n"
            "latency_sum{model=\"echo\"} 21\n"
            "latency{model=\"echo\",quantile=\"0.5\"} 7\n"
            "latency{model=\"echo\",quantile=\"0.99\"} NaN\n");
}

TEST(TextSerializerTest, WritesWholeNumbersInFull) {
  EXPECT_EQ(LineOf({{}, 1'000'000'000'000, {}}), "x 1000000000000\n");
  EXPECT_EQ(LineOf({{}, -2, {}}), "x -2\n");
}

TEST(TextSerializerTest, WritesFractionsSoThatTheyReadBackTheSame) {
  EXPECT_EQ(LineOf({{}, 0.1, {}}), "x 0.1\n");
  EXPECT_EQ(std::stod(LineOf({{}, 1.0 / 3, {}}).substr(2)), 1.0 / 3);
}

TEST(TextSerializerTest, KnowsWhatIsNoNumber) {
  EXPECT_EQ(LineOf({{}, std::nan(""), {}}), "x NaN\n");
  EXPECT_EQ(LineOf({{}, std::numeric_limits<double>::infinity(), {}}), "x +Inf\n");
  EXPECT_EQ(LineOf({{}, -std::numeric_limits<double>::infinity(), {}}), "x -Inf\n");
}

TEST(TextSerializerTest, EscapesWhatWouldEndAValueOrALine) {
  EXPECT_EQ(LineOf({{{"path", "a\\b \"c\"\nd"}}, 1, {}}), "x{path=\"a\\\\b \\\"c\\\"\\nd\"} 1\n");
  EXPECT_EQ(SerializeText({{"x", "says \"a\\b\"\nand on", MetricKind::kGauge, {}}}),
            "# HELP x says \"a\\\\b\"\\nand on\n# TYPE x gauge\n");
}

}  // namespace
}  // namespace workbench
