// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What error.hpp declares.
#pragma once

#include <cstdio>

#include "workbench/backend/error.hpp"

namespace workbench {

WB_INLINE Error InvalidArgument(const std::string& text) {
  return Error(TRITONSERVER_ERROR_INVALID_ARG, text);
}
WB_INLINE Error Unsupported(const std::string& text) { return Error(TRITONSERVER_ERROR_UNSUPPORTED, text); }
WB_INLINE Error Internal(const std::string& text) { return Error(TRITONSERVER_ERROR_INTERNAL, text); }

WB_INLINE void Log(TRITONSERVER_LogLevel level, const std::string& text, const char* file, int line) {
  TRITONSERVER_Error* error = TRITONSERVER_LogMessage(level, file, line, text.c_str());
  if (error != nullptr) TRITONSERVER_ErrorDelete(error);
}

namespace detail {

WB_INLINE std::string Join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text.append(part.data(), part.size());
  return text;
}

WB_INLINE std::string Decimal(int64_t number) {
  char text[24];
  std::snprintf(text, sizeof(text), "%lld", static_cast<long long>(number));
  return text;
}

WB_INLINE void Throw(TRITONSERVER_Error* error) {
  Error thrown(TRITONSERVER_ErrorCode(error), TRITONSERVER_ErrorMessage(error));
  TRITONSERVER_ErrorDelete(error);
  throw thrown;
}

WB_INLINE void LogAndDelete(TRITONSERVER_Error* error, const char* what) noexcept {
  try {
    Log(TRITONSERVER_LOG_ERROR, Join({what, ": ", TRITONSERVER_ErrorMessage(error)}));
  } catch (...) {  // Out of memory: nothing is left to say it with.
  }
  TRITONSERVER_ErrorDelete(error);
}

WB_INLINE Error CurrentError() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Internal(error.what());
  } catch (...) {
    return Internal("the backend threw something that is no std::exception");
  }
}

WB_INLINE TRITONSERVER_Error* CurrentCError() noexcept {
  try {
    const Error error = CurrentError();
    return TRITONSERVER_ErrorNew(error.code(), error.what());
  } catch (...) {
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "out of memory");
  }
}

}  // namespace detail
}  // namespace workbench
