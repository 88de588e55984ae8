// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The control plane that TRITONSERVER_ServerNew and kin ask: one for the process, set by `import workbench`,
// taken away before the interpreter ends.
#pragma once

#include <memory>

#include "engine/bridge.h"

namespace workbench {

void SetControlPlane(std::shared_ptr<ControlPlane> control_plane);
// UNAVAILABLE, saying what to do, where there is none.
Result<std::shared_ptr<ControlPlane>> GetControlPlane();

}  // namespace workbench
