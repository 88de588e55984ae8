// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/module.h"

#include <dlfcn.h>

#include <string>

#include "python/errors.h"
#include "triton/core/tritonserver.h"

namespace workbench {
namespace {

const Bridge* bridge = nullptr;

// Backends that are linked without the core find the interface in the global scope: promote the core to it.
// Refuses to start when the process has another library of that name already.
void PromoteCore() {
  Dl_info core;
  if (dladdr(reinterpret_cast<void*>(&TRITONSERVER_ApiVersion), &core) == 0) {
    throw py::import_error("the serving core cannot be located in this process");
  }
  if (dlopen(core.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD) == nullptr) {
    throw py::import_error(std::string("cannot offer the core to backends: ") + dlerror());
  }
  bridge = TRITONWORKBENCH_Bridge(kBridgeVersion);
  if (bridge == nullptr) {
    throw py::import_error(std::string(core.dli_fname) + " is of another build than this extension module");
  }
}

}  // namespace

const Bridge& TheBridge() { return *bridge; }

}  // namespace workbench

PYBIND11_MODULE(_native, module) {
  using namespace workbench;  // NOLINT: the module's own namespace
  PromoteCore();
  module.doc() = "The native core, as the server and the load generator use it.";
  RegisterErrors(module);
  RegisterEvents(module);
  RegisterCall(module);
  RegisterEngine(module);
  RegisterModel(module);
  RegisterLoad(module);
  RegisterSimulation(module);
  RegisterLog(module);
  RegisterControlPlane(module);
  module.def(
      "install_crash_report",
      [](const std::string& path) { ThrowIfError(TheBridge().install_crash_report(path)); }, py::arg("path"),
      "A crash inside a backend's execution writes a report to `path` from now on.");
  module.def("is_forked", [] { return TheBridge().is_forked(); });
}
