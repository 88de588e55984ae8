// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Specs of models from the plain Python objects of workbench.config (read by attribute).
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "engine/bridge.h"

namespace workbench {

EnsembleOptions EnsembleFrom(pybind11::handle ensemble);
ModelSpec ModelSpecFrom(pybind11::handle spec);
std::vector<InstanceSpec> InstancesFrom(pybind11::handle instances);
SchedulingOptions SchedulingFrom(pybind11::handle batching, int32_t max_batch_size);

}  // namespace workbench
