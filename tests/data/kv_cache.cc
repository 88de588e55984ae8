// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// OUTPUT0 is INPUT0. Counts a key-value cache that it does not have by the metric that load balancers ask
// for.
#include <workbench/backend.hpp>

struct KvCache {
  explicit KvCache(const workbench::Instance&) {
    TRITONSERVER_MetricFamily* family = nullptr;
    workbench::Check(TRITONSERVER_MetricFamilyNew(&family, TRITONSERVER_METRIC_KIND_GAUGE,
                                                  "nv_trt_llm_kv_cache_block_metrics", "Blocks of a cache"));
    Count(family, "tokens_per", 64);
    Count(family, "used", 3);
    Count(family, "max", 12);
  }

  void Execute(workbench::Request& request) {
    const auto input = request.input("INPUT0");
    request.output("OUTPUT0").Write(input.as<float>(), input.shape());
  }

 private:
  // The metrics stay for as long as the process.
  static void Count(TRITONSERVER_MetricFamily* family, const char* kind, double value) {
    const TRITONSERVER_Parameter* label =
        TRITONSERVER_ParameterNew("kv_cache_block_type", TRITONSERVER_PARAMETER_STRING, kind);
    TRITONSERVER_Metric* metric = nullptr;
    workbench::Check(TRITONSERVER_MetricNew(&metric, family, &label, 1));
    workbench::Check(TRITONSERVER_MetricSet(metric, value));
    TRITONSERVER_ParameterDelete(const_cast<TRITONSERVER_Parameter*>(label));
  }
};
WORKBENCH_BACKEND(KvCache)
