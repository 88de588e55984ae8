// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "library_trial.h"

#include <dlfcn.h>

#include "triton/core/tritonbackend.h"

namespace workbench::preflight {
namespace {

constexpr char kExecute[] = "TRITONBACKEND_ModelInstanceExecute";

using ApiVersionFunction = decltype(TRITONBACKEND_ApiVersion);
using InitializeFunction = decltype(TRITONBACKEND_Initialize);

bool CheckVersion(const Report& report) {
  report.Stage("version");
  auto* api_version = reinterpret_cast<ApiVersionFunction*>(dlsym(RTLD_DEFAULT, "TRITONBACKEND_ApiVersion"));
  uint32_t major = 0, minor = 0;
  if (api_version != nullptr) api_version(&major, &minor);
  if (major == TRITONBACKEND_API_VERSION_MAJOR && minor == TRITONBACKEND_API_VERSION_MINOR) return true;
  const std::string found = std::to_string(major) + "." + std::to_string(minor);
  report.Error("INTERNAL", ("the core has interface " + found + ", and the headers are of another version").c_str());
  return false;
}

bool CheckSymbols(const Report& report, void* library) {
  report.Stage("symbols");
  if (dlsym(library, kExecute) != nullptr) return true;
  report.Error("INVALID_ARG", (std::string("it exports no ") + kExecute + ", the one function that every backend " +
                               "must have").c_str());
  return false;
}

// An exception that leaves the backend ends here, with its frames still on the stack.
TRITONSERVER_Error* CallInitialize(InitializeFunction* initialize) noexcept { return initialize(nullptr); }

bool Initialize(const Report& report, void* library) {
  auto* initialize = reinterpret_cast<InitializeFunction*>(dlsym(library, "TRITONBACKEND_Initialize"));
  if (initialize == nullptr) return true;
  report.Stage("Initialize");
  TRITONSERVER_Error* error = CallInitialize(initialize);
  if (error == nullptr) return true;
  auto* message = reinterpret_cast<decltype(TRITONSERVER_ErrorMessage)*>(dlsym(RTLD_DEFAULT, "TRITONSERVER_ErrorMessage"));
  report.Error("INTERNAL", message(error));
  return false;
}

}  // namespace

bool OpenCore(const Report& report, const std::string& path) {
  report.Stage("core");
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return true;
  report.Error("INTERNAL", dlerror());
  return false;
}

bool OpenBackendLibrary(const Report& report, const std::string& path) {
  report.Stage("dlopen");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    report.Error("INVALID_ARG", dlerror());
    return false;
  }
  return CheckVersion(report) && CheckSymbols(report, library) && Initialize(report, library);
}

}  // namespace workbench::preflight
