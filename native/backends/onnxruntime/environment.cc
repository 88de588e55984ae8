// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "environment.h"

#include <cstdlib>
#include <string>

namespace ort {
namespace {

constexpr int kWarnings = 2;
constexpr char kGlobalThreads[] = "enable-global-threadpool";

TRITONSERVER_LogLevel LevelOf(int severity) {
  if (severity <= 0) return TRITONSERVER_LOG_VERBOSE;
  if (severity == 1) return TRITONSERVER_LOG_INFO;
  return severity == kWarnings ? TRITONSERVER_LOG_WARN : TRITONSERVER_LOG_ERROR;
}

void OnLog(void*, int severity, const char*, const char*, const char* place, const char* message) {
  workbench::Log(LevelOf(severity), message, place, 0);
}

OrtEnv* WithoutThreads(const Api& api) {
  OrtEnv* created = nullptr;
  api.Check(api.create_env(&OnLog, nullptr, kWarnings, "workbench", &created));
  return created;
}

int ThreadsOf(const workbench::Model& model, const char* setting) {
  const std::string text = model.backend_setting(setting, "0");
  char* end = nullptr;
  const int64_t count = std::strtol(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0' && count >= 0 && count <= 4096) return static_cast<int>(count);
  throw workbench::InvalidArgument(
      std::string("setting '") + setting +
      "' of backend 'onnxruntime' is a number of threads, 0 for one a core; got " + text);
}

OrtEnv* WithThreads(const Api& api, const workbench::Model& model) {
  OrtThreadingOptions* made = nullptr;
  api.Check(api.create_threading_options(&made));
  const Owned<OrtThreadingOptions> options(made, api.release_threading_options);
  api.Check(api.set_global_intra_op_threads(made, ThreadsOf(model, "intra_op_thread_count")));
  api.Check(api.set_global_inter_op_threads(made, ThreadsOf(model, "inter_op_thread_count")));
  OrtEnv* created = nullptr;
  api.Check(api.create_env_with_pools(&OnLog, nullptr, kWarnings, "workbench", made, &created));
  return created;
}

}  // namespace

const Api& ApiOf(const workbench::Model& model) {
  return Api::Open(model.backend_setting("library", "libonnxruntime.so.1"));
}

bool HasGlobalThreads(const workbench::Model& model) {
  const std::string setting = model.backend_setting(kGlobalThreads, "0");
  if (setting == "0" || setting == "1") return setting == "1";
  throw workbench::InvalidArgument(std::string("setting '") + kGlobalThreads +
                                   "' of backend 'onnxruntime' is 0 or 1; got " + setting);
}

const OrtEnv* Environment(const Api& api, const workbench::Model& model) {
  struct Made {
    bool has_threads;
    OrtEnv* environment;
  };
  const bool is_wanted = HasGlobalThreads(model);
  static const Made made{is_wanted, is_wanted ? WithThreads(api, model) : WithoutThreads(api)};
  if (is_wanted && !made.has_threads) {
    throw workbench::InvalidArgument(
        std::string("setting '") + kGlobalThreads +
        "' of backend 'onnxruntime' came too late: a model of this process runs without; it is to be set "
        "before the first one is loaded");
  }
  return made.environment;
}

}  // namespace ort
