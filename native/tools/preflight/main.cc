// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Tries a backend's shared object in a process of its own, so that its crash is a report and not a dead kernel.
//
//   preflight REPORT_FD TIMEOUT_S CORE LIBRARY
//
// Lines of the report: report.h. The status is 0 only after `ok`.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "crash.h"
#include "library_trial.h"
#include "report.h"

int main(int argc, char** argv) {
  using namespace workbench::preflight;
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s REPORT_FD TIMEOUT_S CORE LIBRARY\n", argv[0]);
    return 2;
  }
  const Report report(std::atoi(argv[1]));
  ReportCrashes(report, static_cast<unsigned>(std::atoi(argv[2])));
  const bool is_good = OpenCore(report, argv[3]) && OpenBackendLibrary(report, argv[4]);
  StopReporting();
  if (is_good) report.Ok();
  std::fflush(nullptr);
  _exit(is_good ? 0 : 1);  // destructors of a backend that nobody asked to stop are no part of the trial
}
