// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The first trial of a backend's shared object: does it open, has it what a server needs, does it initialize?
#pragma once

#include <string>

#include "report.h"

namespace workbench::preflight {

// Opens the core for all to see, as the extension module does. False: the report says why.
bool OpenCore(const Report& report, const std::string& path);

// Stages dlopen, version, symbols. False: the report says why.
bool OpenBackendLibrary(const Report& report, const std::string& path);

}  // namespace workbench::preflight
