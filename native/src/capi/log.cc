// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What backends log goes where the process's log goes, under the backend's own name where the thread tells
// it.
#include "base/log.h"

#include "capi/enum_number.h"
#include "capi/error.h"
#include "model/model.h"

namespace workbench {
namespace {

std::string Speaker() {
  const ModelInstance* const instance = ModelInstance::Current();
  return instance == nullptr ? "" : instance->model()->backend()->name();
}

template <typename Edit>
TRITONSERVER_Error* EditLog(const Edit& edit) {
  return Guard([&] {
    LogSettings settings = Log::Process().settings();
    edit(&settings);
    return Log::Process().Set(settings);
  });
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

bool TRITONSERVER_LogIsEnabled(TRITONSERVER_LogLevel level) {
  return Log::Process().is_enabled(static_cast<LogLevel>(level));
}

TRITONSERVER_Error* TRITONSERVER_LogMessage(TRITONSERVER_LogLevel level, const char* filename, const int line,
                                            const char* msg) {
  return Guard([&] {
    if (!TRITONSERVER_LogIsEnabled(level)) return OkStatus();
    Log::Process().Write({static_cast<LogLevel>(level), 0, filename, line, msg, Speaker()});
    return OkStatus();
  });
}

// Options of a server that act at once, since the log is the process's.
TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetLogFile(TRITONSERVER_ServerOptions* options,
                                                         const char* file) {
  return EditLog([&](LogSettings* settings) { settings->file = file != nullptr ? file : ""; });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetLogInfo(TRITONSERVER_ServerOptions* options, bool log) {
  return EditLog([&](LogSettings* settings) { settings->info = log; });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetLogWarn(TRITONSERVER_ServerOptions* options, bool log) {
  return EditLog([&](LogSettings* settings) { settings->warning = log; });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetLogError(TRITONSERVER_ServerOptions* options, bool log) {
  return EditLog([&](LogSettings* settings) { settings->error = log; });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetLogFormat(TRITONSERVER_ServerOptions* options,
                                                           const TRITONSERVER_LogFormat format) {
  Status status = CheckEnum("log format", format, TRITONSERVER_LOG_ISO8601);
  if (!status.ok()) return Guard([&] { return status; });
  return EditLog([&](LogSettings* settings) { settings->format = static_cast<LogFormat>(format); });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetLogVerbose(TRITONSERVER_ServerOptions* options, int level) {
  return EditLog([&](LogSettings* settings) { settings->verbose_level = level; });
}

}  // extern "C"
