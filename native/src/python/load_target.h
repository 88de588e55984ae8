// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run of load drives, as Python passes it on: a capsule with a TargetHandover.
#pragma once

#include "load/target_handover.h"
#include "python/module.h"

namespace workbench {

// Takes what the capsule holds. REQUIRES: the GIL. Throws where it is no target, or one that a run has.
TargetHandover TakeTarget(const py::capsule& capsule);

void RegisterLoadTargets(py::module_& module);

}  // namespace workbench
