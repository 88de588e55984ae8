// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedLibrary: a shared object opened by path. Never closed: code of a closed library may still be on a
// stack.
#pragma once

#include <string>

#include "base/handle.h"
#include "base/result.h"

namespace workbench {

class SharedLibrary {
 public:
  // Every symbol is resolved at once, and nothing of the library is offered to others.
  static Result<SharedLibrary> Open(const std::string& path);

  const std::string& path() const { return path_; }

  // The function called name, or null.
  template <typename Function>
  Function* Find(const char* name) const {
    return FunctionAt<Function>(Address(name));
  }

 private:
  SharedLibrary(std::string path, void* library) : path_(std::move(path)), library_(library) {}
  void* Address(const char* name) const;

  std::string path_;
  void* library_;
};

}  // namespace workbench
