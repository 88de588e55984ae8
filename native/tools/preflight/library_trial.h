// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The first trial of a backend's shared object: does it open, has it what a server needs, does it initialize?
#pragma once

#include <memory>
#include <string>

#include "core.h"
#include "report.h"

namespace workbench::preflight {

// Stages dlopen, version, symbols, Initialize. An exception that leaves the backend ends the process here,
// with its frames still on the stack.
Result<std::shared_ptr<BackendBridge>> TryLibrary(const Report& report, const Core& core,
                                                  EngineBridge& engine, const std::string& name,
                                                  const std::string& path) noexcept;

}  // namespace workbench::preflight
