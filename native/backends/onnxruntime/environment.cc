// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "environment.h"

namespace ort {
namespace {

constexpr int kWarnings = 2;

TRITONSERVER_LogLevel LevelOf(int severity) {
  if (severity <= 0) return TRITONSERVER_LOG_VERBOSE;
  if (severity == 1) return TRITONSERVER_LOG_INFO;
  return severity == kWarnings ? TRITONSERVER_LOG_WARN : TRITONSERVER_LOG_ERROR;
}

void OnLog(void*, int severity, const char*, const char*, const char* place, const char* message) {
  workbench::Log(LevelOf(severity), message, place, 0);
}

}  // namespace

const Api& ApiOf(const workbench::Model& model) {
  return Api::Open(model.backend_setting("library", "libonnxruntime.so.1"));
}

const OrtEnv* Environment(const Api& api) {
  static OrtEnv* const environment = [&api] {
    OrtEnv* created = nullptr;
    api.Check(api.create_env(&OnLog, nullptr, kWarnings, "workbench", &created));
    return created;
  }();
  return environment;
}

}  // namespace ort
