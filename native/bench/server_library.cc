// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

#include "server_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace workbench::bench {

// Without the handlers of exit(): other threads are still at work, perhaps inside the library.
void ServerLibrary::Fail(const char* message) {
  std::fprintf(stderr, "in-process driver: %s\n", message);
  std::_Exit(1);
}

template <typename Function>
static void Find(void* handle, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  if (*function == nullptr) ServerLibrary::Fail((std::string(name) + " is not exported").c_str());
}

ServerLibrary OpenServerLibrary(const char* path) {
  void* handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) ServerLibrary::Fail(dlerror());
  ServerLibrary library;
#define WB_BENCH_FIND(NAME) Find(handle, "TRITONSERVER_" #NAME, &library.NAME);
  WB_BENCH_SERVER_FUNCTIONS(WB_BENCH_FIND)
#undef WB_BENCH_FIND
  return library;
}

}  // namespace workbench::bench
