// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CrashReport: what is written to a file when a backend brings the process down while it executes: signal,
// backend, model, requests, stack. One for the process; what handled the signal before handles it afterwards.
#pragma once

#include <string>

#include "base/status.h"

namespace workbench {

// From now on a crash inside a backend's execution writes `path`. A second call changes the path.
Status InstallCrashReport(const std::string& path);

}  // namespace workbench
