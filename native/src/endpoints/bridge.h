// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The core's bridge, for what the C interface does not tell without asking Python.
#pragma once

#include "engine/bridge.h"

namespace workbench {

inline const Bridge& TheBridge() {
  static const Bridge* const bridge = TRITONWORKBENCH_Bridge(kBridgeVersion);
  return *bridge;
}

}  // namespace workbench
