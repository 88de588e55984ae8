// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <unistd.h>

#include <string>

#include "environment.h"
#include "providers.h"

namespace ort {
namespace {

constexpr char kShrinkage[] = "memory.enable_memory_arena_shrinkage";

int OptimizationLevel(const workbench::Model& model) {
  constexpr int kNone = 0, kBasic = 1, kExtended = 2, kAll = 99;
  switch (model.config()["optimization"]["graph"]["level"].integer()) {
    case -1:
      return kBasic;
    case 1:
      return kExtended;
    case 2:
      return kNone;
    default:
      return kAll;
  }
}

bool FlagOf(const workbench::Model& model, const char* key, bool fallback) {
  const int64_t value = model.parameter(key, int64_t{fallback});
  if (value == 0 || value == 1) return value == 1;
  throw workbench::InvalidArgument(std::string("parameter '") + key + "' is 0 or 1; got " +
                                   std::to_string(value));
}

int ThreadsOf(const workbench::Model& model, const char* key) {
  const int64_t count = model.parameter(key, 0);
  if (count >= 0 && count <= 4096) return static_cast<int>(count);
  throw workbench::InvalidArgument(std::string("parameter '") + key +
                                   "' is a number of threads, 0 for one a core; got " +
                                   std::to_string(count));
}

void AddEntries(const Api& api, const workbench::Model& model, OrtSessionOptions* options) {
  for (const workbench::Json::Member& parameter : model.config()["parameters"].members()) {
    if (parameter.key.rfind("session.", 0) != 0) continue;
    const std::string value = parameter.value["string_value"].string();
    api.Check(api.add_session_entry(options, parameter.key.c_str(), value.c_str()));
  }
}

void SetThreads(const Api& api, const workbench::Model& model, OrtSessionOptions* options) {
  if (HasGlobalThreads(model)) return api.Check(api.disable_per_session_threads(options));
  api.Check(api.set_intra_op_threads(options, ThreadsOf(model, "intra_op_thread_count")));
  api.Check(api.set_inter_op_threads(options, ThreadsOf(model, "inter_op_thread_count")));
}

// The libraries stay open: sessions of other models may have the same.
void RegisterOperators(const Api& api, const workbench::Model& model, OrtSessionOptions* options) {
  const workbench::Json operations = model.config()["model_operations"];
  for (const workbench::Json& name : operations["op_library_filename"].elements()) {
    const std::string own = model.path(name.string());
    // Elsewhere the system's loader may find it by its name, as in the real server.
    const std::string path = access(own.c_str(), R_OK) == 0 ? own : name.string();
    void* library = nullptr;
    try {
      api.Check(api.register_custom_ops(options, path.c_str(), &library));
    } catch (const workbench::Error& error) {
      throw workbench::InvalidArgument("op_library_filename of model '" + model.name() + "' names " +
                                       name.string() + ", which gives no operators (its own place is " + own +
                                       "): " + error.what());
    }
  }
}

}  // namespace

Owned<OrtSessionOptions> SessionOptionsOf(const Api& api, const workbench::Model& model,
                                          const Device& device) {
  OrtSessionOptions* created = nullptr;
  api.Check(api.create_session_options(&created));
  Owned<OrtSessionOptions> options(created, api.release_session_options);
  api.Check(api.set_optimization_level(created, OptimizationLevel(model)));
  api.Check(api.set_execution_mode(created, FlagOf(model, "execution_mode", false)));
  SetThreads(api, model, created);
  const bool has_arena = FlagOf(model, "enable_mem_arena", true);
  api.Check((has_arena ? api.enable_cpu_mem_arena : api.disable_cpu_mem_arena)(created));
  const bool has_pattern = FlagOf(model, "enable_mem_pattern", true);
  api.Check((has_pattern ? api.enable_mem_pattern : api.disable_mem_pattern)(created));
  AddEntries(api, model, created);
  RegisterOperators(api, model, created);
  AppendProviders(api, model, device, created);
  return options;
}

Owned<OrtRunOptions> RunOptionsOf(const Api& api, const workbench::Model& model) {
  OrtRunOptions* created = nullptr;
  api.Check(api.create_run_options(&created));
  Owned<OrtRunOptions> options(created, api.release_run_options);
  if (model.has_parameter(kShrinkage)) {
    api.Check(api.add_run_entry(created, kShrinkage, model.parameter(kShrinkage).c_str()));
  }
  return options;
}

}  // namespace ort
