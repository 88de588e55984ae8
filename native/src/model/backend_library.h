// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BackendLibrary: the entry points of a backend's shared object, called with exceptions stopped and errors
// turned into Status. Immutable; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/shared_library.h"
#include "model/library_call.h"
#include "triton/core/tritonbackend.h"

namespace workbench {

class BackendLibrary {
 public:
  // INVALID_ARGUMENT when the object does not open or has no TRITONBACKEND_ModelInstanceExecute.
  static Result<BackendLibrary> Open(const std::string& path);

  const std::string& path() const { return library_.path(); }

  // Each of these is optional in a backend, and then succeeds.
  Status Initialize(TRITONBACKEND_Backend* backend) const { return LibraryCall(initialize_, backend); }
  Status Finalize(TRITONBACKEND_Backend* backend) const { return LibraryCall(finalize_, backend); }
  Status GetAttribute(TRITONBACKEND_Backend* backend, TRITONBACKEND_BackendAttribute* attribute) const {
    return LibraryCall(get_attribute_, backend, attribute);
  }
  Status ModelInitialize(TRITONBACKEND_Model* model) const { return LibraryCall(model_initialize_, model); }
  Status ModelFinalize(TRITONBACKEND_Model* model) const { return LibraryCall(model_finalize_, model); }
  Status InstanceInitialize(TRITONBACKEND_ModelInstance* instance) const {
    return LibraryCall(instance_initialize_, instance);
  }
  Status InstanceFinalize(TRITONBACKEND_ModelInstance* instance) const {
    return LibraryCall(instance_finalize_, instance);
  }
  Status Execute(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request** requests,
                 uint32_t count) const {
    return LibraryCall(execute_, instance, requests, count);
  }

 private:
  explicit BackendLibrary(SharedLibrary library);

  SharedLibrary library_;
  decltype(&TRITONBACKEND_Initialize) initialize_;
  decltype(&TRITONBACKEND_Finalize) finalize_;
  decltype(&TRITONBACKEND_GetBackendAttribute) get_attribute_;
  decltype(&TRITONBACKEND_ModelInitialize) model_initialize_;
  decltype(&TRITONBACKEND_ModelFinalize) model_finalize_;
  decltype(&TRITONBACKEND_ModelInstanceInitialize) instance_initialize_;
  decltype(&TRITONBACKEND_ModelInstanceFinalize) instance_finalize_;
  decltype(&TRITONBACKEND_ModelInstanceExecute) execute_;
};

}  // namespace workbench
