// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/shared_library.h"

#include <dlfcn.h>

namespace workbench {

Result<SharedLibrary> SharedLibrary::Open(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return InvalidArgumentError("cannot open " + path + ": " +
                                (reason != nullptr ? reason : "no reason given"));
  }
  return SharedLibrary(path, library);
}

void* SharedLibrary::Address(const char* name) const { return dlsym(library_, name); }

}  // namespace workbench
