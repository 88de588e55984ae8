// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a model's configuration when its backend sets one: batch size, inputs, outputs, decoupling
// and, where there was none, the scheduler are the backend's, all else stays. Backends read the result back
// at once and look for fields that they never wrote, so it spells the defaults.
#pragma once

#include <string>

#include "base/result.h"

namespace workbench {

// `before` is a complete configuration. INVALID_ARG where `told` is no JSON object.
Result<std::string> CompleteConfig(const std::string& before, const std::string& told);

}  // namespace workbench
