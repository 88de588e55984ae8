// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/backend_library.h"

#include <utility>

namespace workbench {

#define WB_FIND(name) library_.Find<decltype(name)>(#name)

BackendLibrary::BackendLibrary(SharedLibrary library)
    : library_(std::move(library)),
      initialize_(WB_FIND(TRITONBACKEND_Initialize)),
      finalize_(WB_FIND(TRITONBACKEND_Finalize)),
      get_attribute_(WB_FIND(TRITONBACKEND_GetBackendAttribute)),
      model_initialize_(WB_FIND(TRITONBACKEND_ModelInitialize)),
      model_finalize_(WB_FIND(TRITONBACKEND_ModelFinalize)),
      instance_initialize_(WB_FIND(TRITONBACKEND_ModelInstanceInitialize)),
      instance_finalize_(WB_FIND(TRITONBACKEND_ModelInstanceFinalize)),
      execute_(WB_FIND(TRITONBACKEND_ModelInstanceExecute)) {}

#undef WB_FIND

Result<BackendLibrary> BackendLibrary::Open(const std::string& path) {
  ASSIGN_OR_RETURN(SharedLibrary library, SharedLibrary::Open(path));
  BackendLibrary backend(std::move(library));
  if (backend.execute_ == nullptr) {
    return InvalidArgumentError(
        path + " exports no TRITONBACKEND_ModelInstanceExecute, the one function that a backend must have");
  }
  return backend;
}

}  // namespace workbench
