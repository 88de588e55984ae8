// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The text in which Prometheus reads metrics (exposition format 0.0.4). Pure.
#pragma once

#include <string>
#include <vector>

#include "metrics/metric_snapshot.h"

namespace workbench {

// "counter", "gauge", "histogram".
const char* KindName(MetricKind kind);

std::string SerializeText(const std::vector<FamilySnapshot>& families);

}  // namespace workbench
