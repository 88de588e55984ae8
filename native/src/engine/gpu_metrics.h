// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// GpuFamilies: GPUs on the metrics page, under the original's names, each by its UUID. Pure.
#pragma once

#include <vector>

#include "device/nvml.h"
#include "metrics/metric_snapshot.h"

namespace workbench {

// before: as the GPUs were when the server started; energy counts from then.
std::vector<FamilySnapshot> GpuFamilies(const std::vector<GpuReading>& now,
                                        const std::vector<GpuReading>& before);

}  // namespace workbench
