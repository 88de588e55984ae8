// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a server's models tell on its metrics page: families under the original's names, made from the models'
// own counters when somebody asks. Pure but for reading those.
#pragma once

#include <vector>

#include "engine/bridge.h"
#include "metrics/metric_snapshot.h"
#include "model/model.h"

namespace workbench {

std::vector<FamilySnapshot> ModelFamilies(const std::vector<Model::Ref>& models,
                                          const MetricsOptions& options);
// Adds families; one whose name is there already joins it.
void Merge(std::vector<FamilySnapshot> more, std::vector<FamilySnapshot>* families);
std::vector<FamilySnapshot> PoolFamilies(const std::vector<PoolStatus>& pools);

}  // namespace workbench
