// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The targets of load over the network, as Python makes them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "load/request_plan.h"
#include "load/target.h"

namespace workbench {

// A capsule that another module's run takes; see load/target_handover.h. Throws what is no target.
pybind11::capsule Handover(Result<std::unique_ptr<Target>> target);
// Out of the bytes of an array.
std::vector<PlannedRequest> StepsOf(const std::string& plan);

// A target of that kind; connecting takes its time, and no interpreter.
template <typename Kind, typename Options, typename Sample>
pybind11::capsule NewTarget(const Options& options, std::vector<Sample> samples, const std::string& plan) {
  std::vector<PlannedRequest> steps = StepsOf(plan);
  Result<std::unique_ptr<Target>> target = [&] {
    pybind11::gil_scoped_release release;
    return Kind::Create(options, std::move(samples), std::move(steps));
  }();
  return Handover(std::move(target));
}

void RegisterTargets(pybind11::module_& module);
// Nothing where the library of HTTP/2 is missing.
void RegisterGrpcTarget(pybind11::module_& module);

}  // namespace workbench
