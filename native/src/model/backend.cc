// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/backend.h"

#include <utility>

namespace workbench {

Backend::Backend(const Options& options, BackendLibrary library, MemoryPools& pools)
    : name_(options.name),
      folder_(options.path.substr(0, options.path.find_last_of('/'))),
      library_(std::move(library)),
      config_{options.config_json},
      memory_manager_(pools) {}

Result<std::shared_ptr<Backend>> Backend::Create(const Options& options, MemoryPools& pools) {
  ASSIGN_OR_RETURN(BackendLibrary library, BackendLibrary::Open(options.path));
  std::shared_ptr<Backend> backend(new Backend(options, std::move(library), pools));
  RETURN_IF_ERROR(backend->library_.Initialize(backend->handle()));
  backend->is_initialized_ = true;
  RETURN_IF_ERROR(backend->library_.GetAttribute(backend->handle(),
                                                 ToHandle<TRITONBACKEND_BackendAttribute>(backend.get())));
  return backend;
}

Backend::~Backend() {
  // A failing Finalize has nobody left to tell.
  if (is_initialized_) (void)library_.Finalize(handle());
}

}  // namespace workbench
