// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Tries a backend's shared object in a process of its own, so that its crash is a report and not a dead
// kernel.
//
//   preflight REPORT_FD TIMEOUT_S CORE LIBRARY NAME [CONFIG_FILE VERSION FOLDER]
//
// CONFIG_FILE holds a model's configuration as JSON, FOLDER is the model's. Lines of the report: report.h.
// The status is 0 only after `ok`.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "crash.h"
#include "library_trial.h"
#include "model_trial.h"
#include "report.h"

namespace workbench::preflight {
namespace {

constexpr char kUsage[] =
    "usage: preflight REPORT_FD TIMEOUT_S CORE LIBRARY NAME [CONFIG_FILE VERSION FOLDER]\n";
constexpr int kLibraryArguments = 6;
constexpr int kModelArguments = 9;

std::string ReadFile(const char* path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Status Try(const Report& report, int argc, char** argv) {
  report.Stage("core");
  ASSIGN_OR_RETURN(const Core core, OpenCore(argv[3]));
  LogSettings troubles_alone;
  troubles_alone.info = false;
  RETURN_IF_ERROR(core.bridge->set_log_settings(troubles_alone));
  EngineOptions options;
  options.name = "preflight";
  options.metrics.has_gpus = false;
  if (const char* const driver = std::getenv("WORKBENCH_CUDA_DRIVER")) options.cuda_driver = driver;
  ASSIGN_OR_RETURN(std::unique_ptr<EngineBridge> engine, core.bridge->new_engine(options));
  ASSIGN_OR_RETURN(std::shared_ptr<BackendBridge> backend,
                   TryLibrary(report, core, *engine, argv[5], argv[4]));
  if (argc < kModelArguments) {
    report.Stage("Finalize");
    backend.reset();
    return OkStatus();
  }
  const ModelSource source{ReadFile(argv[6]), std::atoll(argv[7]), argv[8]};
  return TryModel(report, core, *engine, std::move(backend), source);
}

const char* NameOf(StatusCode code) {
  constexpr const char* kNames[] = {"OK",          "UNKNOWN",        "INTERNAL",
                                    "NOT_FOUND",   "INVALID_ARG",    "UNAVAILABLE",
                                    "UNSUPPORTED", "ALREADY_EXISTS", "CANCELLED"};
  return kNames[static_cast<size_t>(code)];
}

int Run(int argc, char** argv) {
  if (argc != kLibraryArguments && argc != kModelArguments) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  const Report report(std::atoi(argv[1]));
  ReportCrashes(report, static_cast<unsigned>(std::atoi(argv[2])));
  const Status status = Try(report, argc, argv);
  if (status.ok()) {
    report.Ok();
  } else {
    report.Error(NameOf(status.code()), status.message().c_str());
    ReportLastThrow();
  }
  StopReporting();
  std::fflush(nullptr);
  _exit(status.ok() ? 0 : 1);  // the report is out: static destructors of a backend are no part of the trial
}

}  // namespace
}  // namespace workbench::preflight

int main(int argc, char** argv) { return workbench::preflight::Run(argc, argv); }
