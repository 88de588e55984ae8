// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "library_trial.h"

#include <dlfcn.h>

namespace workbench::preflight {
namespace {

constexpr char kExecute[] = "TRITONBACKEND_ModelInstanceExecute";

Status CheckVersion(const Core& core) {
  uint32_t major = 0, minor = 0;
  core.api_version(&major, &minor);
  if (major == TRITONBACKEND_API_VERSION_MAJOR && minor == TRITONBACKEND_API_VERSION_MINOR) return OkStatus();
  return InternalError("the core has interface " + std::to_string(major) + "." + std::to_string(minor) +
                       ", and the headers are of another version");
}

Status CheckSymbols(void* library) {
  if (dlsym(library, kExecute) != nullptr) return OkStatus();
  return InvalidArgumentError(std::string("it exports no ") + kExecute +
                              ", the one function that every backend must have");
}

}  // namespace

Result<std::shared_ptr<BackendBridge>> TryLibrary(const Report& report, const Core& core,
                                                  EngineBridge& engine, const std::string& name,
                                                  const std::string& path) noexcept {
  // The engine opens it again; here first, so that what goes wrong while it opens is known to.
  report.Stage("dlopen");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return InvalidArgumentError(dlerror());
  report.Stage("version");
  RETURN_IF_ERROR(CheckVersion(core));
  report.Stage("symbols");
  RETURN_IF_ERROR(CheckSymbols(library));
  report.Stage("Initialize");
  return engine.OpenBackend(name, path, "{}");
}

}  // namespace workbench::preflight
