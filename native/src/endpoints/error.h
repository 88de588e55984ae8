// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors of the C interface as values, and values as errors of the C interface.
#pragma once

#include <string>

#include "base/result.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// What the error says; it is deleted. OK for null.
inline Status TakeStatus(TRITONSERVER_Error* error) {
  if (error == nullptr) return OkStatus();
  Status status(static_cast<StatusCode>(TRITONSERVER_ErrorCode(error) + 1), TRITONSERVER_ErrorMessage(error));
  TRITONSERVER_ErrorDelete(error);
  return status;
}

// Whether the response is good. Its error stays its own.
inline Status StatusOf(TRITONSERVER_InferenceResponse* response) {
  TRITONSERVER_Error* const error = TRITONSERVER_InferenceResponseError(response);
  if (error == nullptr) return OkStatus();
  return {static_cast<StatusCode>(TRITONSERVER_ErrorCode(error) + 1), TRITONSERVER_ErrorMessage(error)};
}

inline TRITONSERVER_Error* ErrorOf(const Status& status) {
  const auto code = static_cast<TRITONSERVER_Error_Code>(static_cast<int>(status.code()) - 1);
  return status.ok() ? nullptr : TRITONSERVER_ErrorNew(code, status.message().c_str());
}

// The text of a message, which is deleted.
inline std::string TakeText(TRITONSERVER_Message* message) {
  const char* base = nullptr;
  size_t byte_size = 0;
  TRITONSERVER_Error* const error = TRITONSERVER_MessageSerializeToJson(message, &base, &byte_size);
  std::string text = error == nullptr ? std::string(base, byte_size) : std::string();
  if (error != nullptr) TRITONSERVER_ErrorDelete(error);
  TRITONSERVER_MessageDelete(message);
  return text;
}

}  // namespace workbench
