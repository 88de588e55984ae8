// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The second trial: does a backend survive a model, from its initialization to its end?
#pragma once

#include <memory>

#include "core.h"
#include "model_spec.h"
#include "report.h"

namespace workbench::preflight {

// Stages ModelInitialize, ModelInstanceInitialize, Execute, Finalize. An answer that is an error is an
// answer: a model may refuse zeros. An exception that leaves the backend ends the process here.
Status TryModel(const Report& report, const Core& core, EngineBridge& engine,
                std::shared_ptr<BackendBridge> backend, ModelSource source) noexcept;

}  // namespace workbench::preflight
