// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "core.h"

#include <dlfcn.h>

namespace workbench::preflight {
namespace {

template <typename Function>
void Find(void* library, const char* name, Function** function) {
  *function = reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

Result<Core> OpenCore(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return InternalError(dlerror());
  Core core;
  decltype(TRITONWORKBENCH_Bridge)* bridge = nullptr;
  Find(library, "TRITONWORKBENCH_Bridge", &bridge);
  Find(library, "TRITONBACKEND_ApiVersion", &core.api_version);
  Find(library, "TRITONSERVER_DataTypeString", &core.data_type_string);
  Find(library, "TRITONSERVER_DataTypeByteSize", &core.data_type_byte_size);
  if (bridge != nullptr) core.bridge = bridge(kBridgeVersion);
  if (core.bridge != nullptr && core.api_version != nullptr) return core;
  return InternalError(path + " and this program are of different builds");
}

}  // namespace workbench::preflight
