// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns every way in which a process can end into lines of the report.
#pragma once

#include "report.h"

namespace workbench::preflight {

// Once, before anything of the backend runs. The report must outlive the process's other code.
void ReportCrashes(const Report& report, unsigned timeout_s);

// Frames of the place where the last exception was thrown, if any was.
void ReportLastThrow();

// The trial is over: ending the process from now on is no news.
void StopReporting();

}  // namespace workbench::preflight
