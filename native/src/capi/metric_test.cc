// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics that callers make, and the page that shows them beside the server's own.
#include <string>
#include <thread>

#include "capi/interface_fixture.h"

namespace workbench {
namespace {

using testing::HasSubstr;
using testing::Not;

class MetricTest : public InterfaceTest {
 protected:
  TRITONSERVER_MetricFamily* NewFamily(TRITONSERVER_MetricKind kind, const char* name = "custom") {
    TRITONSERVER_MetricFamily* family = nullptr;
    EXPECT_OK(TRITONSERVER_MetricFamilyNew(&family, kind, name, "made by a test"));
    return family;
  }
  static TRITONSERVER_Metric* NewMetric(TRITONSERVER_MetricFamily* family, const char* label = "a") {
    TRITONSERVER_Metric* metric = nullptr;
    const TRITONSERVER_Parameter* labels[] = {
        TRITONSERVER_ParameterNew("who", TRITONSERVER_PARAMETER_STRING, label)};
    EXPECT_OK(TRITONSERVER_MetricNew(&metric, family, labels, 1));
    TRITONSERVER_ParameterDelete(const_cast<TRITONSERVER_Parameter*>(labels[0]));
    return metric;
  }
  static double ValueOf(TRITONSERVER_Metric* metric) {
    double value = -1;
    EXPECT_OK(TRITONSERVER_MetricValue(metric, &value));
    return value;
  }
  std::string Page() {
    TRITONSERVER_Metrics* metrics = nullptr;
    const char* base = nullptr;
    size_t byte_size = 0;
    EXPECT_OK(TRITONSERVER_ServerMetrics(server(), &metrics));
    EXPECT_OK(TRITONSERVER_MetricsFormatted(metrics, TRITONSERVER_METRIC_PROMETHEUS, &base, &byte_size));
    EXPECT_CODE(TRITONSERVER_MetricsFormatted(metrics, TRITONSERVER_MetricFormat(1), &base, &byte_size),
                INVALID_ARG);
    std::string page(base, byte_size);
    EXPECT_OK(TRITONSERVER_MetricsDelete(metrics));
    return page;
  }
};

TEST_F(MetricTest, ACounterGrowsAndDoesNothingElse) {
  auto* const family = NewFamily(TRITONSERVER_METRIC_KIND_COUNTER);
  auto* const metric = NewMetric(family);
  TRITONSERVER_MetricKind kind = TRITONSERVER_METRIC_KIND_GAUGE;
  EXPECT_OK(TRITONSERVER_GetMetricKind(metric, &kind));
  EXPECT_EQ(kind, TRITONSERVER_METRIC_KIND_COUNTER);
  EXPECT_OK(TRITONSERVER_GetMetricFamilyKind(family, &kind));
  EXPECT_OK(TRITONSERVER_MetricIncrement(metric, 2.5));
  EXPECT_CODE(TRITONSERVER_MetricIncrement(metric, -1), INVALID_ARG);
  EXPECT_CODE(TRITONSERVER_MetricSet(metric, 7), UNSUPPORTED);
  EXPECT_CODE(TRITONSERVER_MetricObserve(metric, 7), UNSUPPORTED);
  EXPECT_EQ(ValueOf(metric), 2.5);
  EXPECT_THAT(Page(), HasSubstr("# TYPE custom counter\ncustom{who=\"a\"} 2.5\n"));
  EXPECT_OK(TRITONSERVER_MetricDelete(metric));
  EXPECT_OK(TRITONSERVER_MetricFamilyDelete(family));
  EXPECT_THAT(Page(), Not(HasSubstr("custom{")));
}

TEST_F(MetricTest, AGaugeGoesUpAndDownAndIsSet) {
  auto* const family = NewFamily(TRITONSERVER_METRIC_KIND_GAUGE, "custom_gauge");
  auto* const metric = NewMetric(family);
  EXPECT_OK(TRITONSERVER_MetricIncrement(metric, -3));
  EXPECT_EQ(ValueOf(metric), -3);
  EXPECT_OK(TRITONSERVER_MetricSet(metric, 7));
  EXPECT_EQ(ValueOf(metric), 7);
  EXPECT_CODE(TRITONSERVER_MetricObserve(metric, 7), UNSUPPORTED);
  EXPECT_OK(TRITONSERVER_MetricDelete(metric));
  EXPECT_OK(TRITONSERVER_MetricFamilyDelete(family));
}

TEST_F(MetricTest, AHistogramNeedsBucketsAndObserves) {
  auto* const family = NewFamily(TRITONSERVER_METRIC_KIND_HISTOGRAM, "custom_histogram");
  TRITONSERVER_Metric* metric = nullptr;
  TRITONSERVER_MetricArgs* arguments = nullptr;
  double value = 0;
  const double buckets[] = {1, 2};
  EXPECT_CODE(TRITONSERVER_MetricNew(&metric, family, nullptr, 0), INVALID_ARG);
  EXPECT_OK(TRITONSERVER_MetricArgsNew(&arguments));
  EXPECT_CODE(TRITONSERVER_MetricNewWithArgs(&metric, family, nullptr, 0, arguments), INVALID_ARG);
  EXPECT_OK(TRITONSERVER_MetricArgsSetHistogram(arguments, buckets, 2));
  EXPECT_OK(TRITONSERVER_MetricNewWithArgs(&metric, family, nullptr, 0, arguments));
  EXPECT_OK(TRITONSERVER_MetricArgsDelete(arguments));
  EXPECT_OK(TRITONSERVER_MetricObserve(metric, 1.5));
  EXPECT_CODE(TRITONSERVER_MetricValue(metric, &value), UNSUPPORTED);
  EXPECT_CODE(TRITONSERVER_MetricIncrement(metric, 1), UNSUPPORTED);
  EXPECT_THAT(Page(), HasSubstr("custom_histogram_bucket{le=\"2\"} 1\n"));
  EXPECT_OK(TRITONSERVER_MetricDelete(metric));
  EXPECT_OK(TRITONSERVER_MetricFamilyDelete(family));
}

TEST_F(MetricTest, TheSameLabelsAreTheSameMetric) {
  auto* const family = NewFamily(TRITONSERVER_METRIC_KIND_COUNTER, "custom_shared");
  auto* const again = NewFamily(TRITONSERVER_METRIC_KIND_COUNTER, "custom_shared");
  auto* const first = NewMetric(family);
  auto* const second = NewMetric(again);
  auto* const other = NewMetric(family, "b");
  EXPECT_OK(TRITONSERVER_MetricIncrement(first, 1));
  EXPECT_EQ(ValueOf(second), 1);
  EXPECT_EQ(ValueOf(other), 0);
  EXPECT_OK(TRITONSERVER_MetricDelete(first));
  EXPECT_EQ(ValueOf(second), 1);
  for (auto* metric : {second, other}) EXPECT_OK(TRITONSERVER_MetricDelete(metric));
  for (auto* each : {family, again}) EXPECT_OK(TRITONSERVER_MetricFamilyDelete(each));
}

TEST_F(MetricTest, AFamilyIsDeletedAfterItsMetrics) {
  auto* const family = NewFamily(TRITONSERVER_METRIC_KIND_GAUGE, "custom_parent");
  auto* const metric = NewMetric(family);
  EXPECT_CODE(TRITONSERVER_MetricFamilyDelete(family), INTERNAL);
  EXPECT_OK(TRITONSERVER_MetricSet(metric, 1));
  EXPECT_OK(TRITONSERVER_MetricDelete(metric));
  EXPECT_OK(TRITONSERVER_MetricFamilyDelete(family));
}

TEST_F(MetricTest, AFamilyOfTheServersOwnNameIsShownOnce) {
  auto* const family = NewFamily(TRITONSERVER_METRIC_KIND_GAUGE, "nv_cpu_utilization");
  auto* const metric = NewMetric(family);
  const std::string page = Page();
  const std::string type = "# TYPE nv_cpu_utilization gauge\n";
  EXPECT_THAT(page, HasSubstr("nv_cpu_utilization{who=\"a\"} 0\n"));
  EXPECT_EQ(page.find(type), page.rfind(type));
  EXPECT_OK(TRITONSERVER_MetricDelete(metric));
  EXPECT_OK(TRITONSERVER_MetricFamilyDelete(family));
}

TEST_F(MetricTest, NamesKindsAndLabelsAreChecked) {
  TRITONSERVER_MetricFamily* family = nullptr;
  EXPECT_CODE(TRITONSERVER_MetricFamilyNew(&family, TRITONSERVER_METRIC_KIND_GAUGE, "no name", ""),
              INVALID_ARG);
  for (const int kind : {3, 9, 256}) {
    EXPECT_CODE(TRITONSERVER_MetricFamilyNew(&family, TRITONSERVER_MetricKind(kind), "custom_odd", ""),
                INVALID_ARG);
  }
  family = NewFamily(TRITONSERVER_METRIC_KIND_GAUGE, "custom_checked");
  TRITONSERVER_MetricFamily* another = nullptr;
  EXPECT_CODE(TRITONSERVER_MetricFamilyNew(&another, TRITONSERVER_METRIC_KIND_COUNTER, "custom_checked", ""),
              INVALID_ARG);
  const int64_t number = 5;
  const TRITONSERVER_Parameter* label = TRITONSERVER_ParameterNew("n", TRITONSERVER_PARAMETER_INT, &number);
  TRITONSERVER_Metric* metric = nullptr;
  EXPECT_CODE(TRITONSERVER_MetricNew(&metric, family, &label, 1), INVALID_ARG);
  TRITONSERVER_ParameterDelete(const_cast<TRITONSERVER_Parameter*>(label));
  EXPECT_OK(TRITONSERVER_MetricFamilyDelete(family));
}

TEST_F(MetricTest, ThePageTellsOfModelsTheirPoolAndTheMachine) {
  Load();
  Infer();
  constexpr char kExecuted[] = "nv_inference_exec_count{model=\"m\",version=\"1\"} 1\n";
  // A backend reports an execution after it has answered.
  for (int i = 0; i < 1'000'000 && Page().find(kExecuted) == std::string::npos; ++i)
    std::this_thread::yield();
  const std::string page = Page();
  for (const char* line :
       {"nv_inference_request_success{model=\"m\",version=\"1\"} 1\n",
        "nv_inference_request_failure{model=\"m\",version=\"1\",reason=\"REJECTED\"} 0\n",
        "nv_inference_count{model=\"m\",version=\"1\"} 1\n", kExecuted,
        "# TYPE nv_inference_queue_duration_us counter\n",
        "nv_inference_pending_request_count{model=\"m\",version=\"1\"} 0\n",
        "# TYPE nv_model_load_duration_secs gauge\n", "# TYPE nv_pinned_memory_pool_total_bytes gauge\n",
        "# TYPE nv_cpu_utilization gauge\n"}) {
    EXPECT_THAT(page, HasSubstr(line));
  }
  EXPECT_THAT(page, Not(HasSubstr("nv_cache_")));
  Unload();
  EXPECT_THAT(Page(), Not(HasSubstr("model=\"m\"")));
}

TEST_F(MetricTest, DistributionsAreShownWhereTheyAreAskedFor) {
  EngineOptions options;
  options.metrics.latencies.has_summaries = true;
  options.metrics.latencies.has_first_response = true;
  options.metrics.has_counter_latencies = false;
  engine_ = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine(options).value();
  ModelSpec spec = Spec();
  spec.signature.is_decoupled = true;
  spec.metric_tags = {{"_team", "blue"}};
  spec.first_response_buckets_ms = {0.001, 100'000};
  Load(spec);
  Infer();
  const std::string page = Page();
  const std::string labels = "{_team=\"blue\",model=\"m\",version=\"1\"";
  EXPECT_THAT(page, HasSubstr("nv_inference_request_summary_us_count" + labels + "} 1\n"));
  EXPECT_THAT(page, HasSubstr("nv_inference_queue_summary_us" + labels + ",quantile=\"0.99\"} "));
  EXPECT_THAT(page,
              HasSubstr("nv_inference_first_response_histogram_ms_bucket" + labels + ",le=\"100000\"} 1\n"));
  EXPECT_THAT(page, Not(HasSubstr("duration_us")));
}

}  // namespace
}  // namespace workbench
