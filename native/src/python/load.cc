// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/module.h"

namespace workbench {

void RegisterLoad(py::module_& module) {}

}  // namespace workbench
