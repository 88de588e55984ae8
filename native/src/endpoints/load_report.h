// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a client that balances load may ask with an inference: how full the server's key-value caches are, in
// the form of ORCA (https://github.com/cncf/xds/blob/main/xds/data/orca/v3/orca_load_report.proto), as the
// original tells it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric_snapshot.h"

namespace workbench {

constexpr char kLoadReportWish[] = "endpoint-load-metrics-format";
constexpr char kLoadReport[] = "endpoint-load-metrics";

// format: "json" or "text". Empty for another, and where no backend counts its cache by the metric
// nv_trt_llm_kv_cache_block_metrics.
std::string LoadReportOf(std::string_view format, const std::vector<FamilySnapshot>& families);

}  // namespace workbench
