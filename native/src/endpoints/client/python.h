// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The targets of load over the network, as Python makes them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "load/request_plan.h"
#include "load/target.h"

namespace workbench {

// A capsule that another module's run takes; see load/target_handover.h. Throws what is no target.
pybind11::capsule Handover(Result<std::unique_ptr<Target>> target);
// Out of the bytes of an array.
std::vector<PlannedRequest> StepsOf(const std::string& plan);

void RegisterTargets(pybind11::module_& module);
// Nothing where the library of HTTP/2 is missing.
void RegisterGrpcTarget(pybind11::module_& module);

}  // namespace workbench
