// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ErrorObject: what a TRITONSERVER_Error handle points to. Made in capi/error.cc; read here because backends
// return it to the model floor.
#pragma once

#include <memory>
#include <string>

#include "base/handle.h"
#include "base/status.h"

namespace workbench {

struct ErrorObject {
  StatusCode code;
  std::string message;
};

// Takes the error that a backend returned; null means success.
template <typename ErrorHandle>
Status TakeError(ErrorHandle* error) {
  if (error == nullptr) return OkStatus();
  std::unique_ptr<ErrorObject> owned(FromHandle<ErrorObject>(error));
  return Status(owned->code, owned->message);
}

}  // namespace workbench
