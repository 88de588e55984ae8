// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What backends log goes to the process's standard error, with the level's letter as the real server writes
// it.
#include <cstdio>

#include "capi/error.h"

using workbench::Guard;
using workbench::OkStatus;

extern "C" {

bool TRITONSERVER_LogIsEnabled(TRITONSERVER_LogLevel level) {
  return level != TRITONSERVER_LOG_VERBOSE && level != TRITONSERVER_LOG_INFO;
}

TRITONSERVER_Error* TRITONSERVER_LogMessage(TRITONSERVER_LogLevel level, const char* filename, const int line,
                                            const char* msg) {
  return Guard([&] {
    if (!TRITONSERVER_LogIsEnabled(level)) return OkStatus();
    const char letter = level == TRITONSERVER_LOG_WARN ? 'W' : 'E';
    std::fprintf(stderr, "%c %s:%d] %s\n", letter, filename, line, msg);
    return OkStatus();
  });
}

}  // extern "C"
