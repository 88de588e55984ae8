// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "capi/error.h"

#include "base/patience.h"
#include "triton/core/tritonserver.h"

namespace workbench {
namespace {

StatusCode StatusCodeOf(TRITONSERVER_Error_Code code) {
  return static_cast<StatusCode>(static_cast<int>(code) + 1);
}

TRITONSERVER_Error_Code ErrorCodeOf(StatusCode code) {
  return static_cast<TRITONSERVER_Error_Code>(static_cast<int>(code) - 1);
}

}  // namespace

TRITONSERVER_Error* ErrorOf(const Status& status) {
  if (status.ok()) return nullptr;
  const Patience patience;  // an error that cannot be told is none
  return ToHandle<TRITONSERVER_Error>(new ErrorObject{status.code(), status.message()});
}

}  // namespace workbench

using workbench::ErrorObject;
using workbench::FromHandle;

extern "C" {

TRITONSERVER_Error* TRITONSERVER_ErrorNew(TRITONSERVER_Error_Code code, const char* msg) {
  return workbench::ErrorOf({workbench::StatusCodeOf(code), msg != nullptr ? msg : ""});
}

void TRITONSERVER_ErrorDelete(TRITONSERVER_Error* error) { delete FromHandle<ErrorObject>(error); }

TRITONSERVER_Error_Code TRITONSERVER_ErrorCode(TRITONSERVER_Error* error) {
  return workbench::ErrorCodeOf(FromHandle<ErrorObject>(error)->code);
}

const char* TRITONSERVER_ErrorCodeString(TRITONSERVER_Error* error) {
  switch (TRITONSERVER_ErrorCode(error)) {
    case TRITONSERVER_ERROR_INTERNAL:
      return "Internal";
    case TRITONSERVER_ERROR_NOT_FOUND:
      return "Not found";
    case TRITONSERVER_ERROR_INVALID_ARG:
      return "Invalid argument";
    case TRITONSERVER_ERROR_UNAVAILABLE:
      return "Unavailable";
    case TRITONSERVER_ERROR_UNSUPPORTED:
      return "Unsupported";
    case TRITONSERVER_ERROR_ALREADY_EXISTS:
      return "Already exists";
    case TRITONSERVER_ERROR_CANCELLED:
      return "Cancelled";
    default:
      return "Unknown";
  }
}

const char* TRITONSERVER_ErrorMessage(TRITONSERVER_Error* error) {
  return FromHandle<ErrorObject>(error)->message.c_str();
}

}  // extern "C"
