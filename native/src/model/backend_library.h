// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BackendLibrary: the entry points of a backend's shared object, called with exceptions stopped and errors
// turned into Status. Immutable; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/error_object.h"
#include "base/shared_library.h"
#include "triton/core/tritonbackend.h"

namespace workbench {

class BackendLibrary {
 public:
  // INVALID_ARGUMENT when the object does not open or has no TRITONBACKEND_ModelInstanceExecute.
  static Result<BackendLibrary> Open(const std::string& path);

  const std::string& path() const { return library_.path(); }

  // Each of these is optional in a backend, and then succeeds.
  Status Initialize(TRITONBACKEND_Backend* backend) const { return Call(initialize_, backend); }
  Status Finalize(TRITONBACKEND_Backend* backend) const { return Call(finalize_, backend); }
  Status GetAttribute(TRITONBACKEND_Backend* backend, TRITONBACKEND_BackendAttribute* attribute) const {
    return Call(get_attribute_, backend, attribute);
  }
  Status ModelInitialize(TRITONBACKEND_Model* model) const { return Call(model_initialize_, model); }
  Status ModelFinalize(TRITONBACKEND_Model* model) const { return Call(model_finalize_, model); }
  Status InstanceInitialize(TRITONBACKEND_ModelInstance* instance) const {
    return Call(instance_initialize_, instance);
  }
  Status InstanceFinalize(TRITONBACKEND_ModelInstance* instance) const {
    return Call(instance_finalize_, instance);
  }
  Status Execute(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request** requests,
                 uint32_t count) const {
    return Call(execute_, instance, requests, count);
  }

 private:
  explicit BackendLibrary(SharedLibrary library);

  template <typename Function, typename... Arguments>
  static Status Call(Function* function, Arguments... arguments);

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

template <typename Function, typename... Arguments>
Status BackendLibrary::Call(Function* function, Arguments... arguments) {
  if (function == nullptr) return OkStatus();
  try {
    TRITONSERVER_Error* const error = function(arguments...);
    return error == nullptr ? OkStatus() : TakeError(error);
  } catch (const std::exception& exception) {
    return InternalError(std::string("the backend let an exception escape: ") + exception.what());
  } catch (...) {
    return InternalError("the backend let something escape that is no std::exception");
  }
}

}  // namespace workbench
