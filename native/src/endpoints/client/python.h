// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The targets of load over the network, as Python makes them.
#pragma once

#include <pybind11/pybind11.h>

namespace workbench {

void RegisterTargets(pybind11::module_& module);

}  // namespace workbench
