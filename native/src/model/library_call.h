// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// LibraryCall: calls a function of somebody else's shared object. What it throws stops here; its error
// becomes a Status.
#pragma once

#include <exception>
#include <string>

#include "base/error_object.h"
#include "base/patience.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// A function that the object does not have succeeds: absent ones have nothing to do.
template <typename Function, typename... Arguments>
Status LibraryCall(Function* function, Arguments... arguments) {
  if (function == nullptr) return OkStatus();
  try {
    const Patience none(false);  // its own memory is its own to miss
    TRITONSERVER_Error* const error = function(arguments...);
    return error == nullptr ? OkStatus() : TakeError(error);
  } catch (const std::exception& exception) {
    return InternalError(std::string("the backend let an exception escape: ") + exception.what());
  } catch (...) {
    return InternalError("the backend let something escape that is no std::exception");
  }
}

}  // namespace workbench
