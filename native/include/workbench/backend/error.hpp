// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors of a backend: thrown inside, handed to the core as C errors. No exception crosses the C interface.
#pragma once

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include "triton/core/tritonserver.h"

// What seldom runs is kept out of what often does: every backend compiles these headers anew.
#define WB_COLD [[gnu::noinline, gnu::cold]]

namespace workbench {

namespace detail {

// Texts are put together here and not where they are needed: what a backend compiles stays small.
WB_COLD inline std::string Join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text.append(part.data(), part.size());
  return text;
}
WB_COLD inline std::string Decimal(int64_t number) {
  char text[24];
  std::snprintf(text, sizeof(text), "%lld", static_cast<long long>(number));
  return text;
}

}  // namespace detail

// What a backend throws to say which status code the caller gets. Any other exception becomes INTERNAL.
class Error : public std::runtime_error {
 public:
  Error(TRITONSERVER_Error_Code code, const std::string& text) : std::runtime_error(text), code_(code) {}
  TRITONSERVER_Error_Code code() const { return code_; }

 private:
  TRITONSERVER_Error_Code code_;
};

WB_COLD inline Error InvalidArgument(const std::string& text) {
  return Error(TRITONSERVER_ERROR_INVALID_ARG, text);
}
WB_COLD inline Error Unsupported(const std::string& text) {
  return Error(TRITONSERVER_ERROR_UNSUPPORTED, text);
}
WB_COLD inline Error Internal(const std::string& text) { return Error(TRITONSERVER_ERROR_INTERNAL, text); }

namespace detail {

[[noreturn]] WB_COLD inline void Throw(TRITONSERVER_Error* error) {
  Error thrown(TRITONSERVER_ErrorCode(error), TRITONSERVER_ErrorMessage(error));
  TRITONSERVER_ErrorDelete(error);
  throw thrown;
}

}  // namespace detail

// Throws what a function of the C interface returned, unless it succeeded.
inline void Check(TRITONSERVER_Error* error) {
  if (error != nullptr) detail::Throw(error);
}

// Writes into the server's log. The place is the caller's.
inline void Log(TRITONSERVER_LogLevel level, const std::string& text, const char* file = __builtin_FILE(),
                int line = __builtin_LINE()) {
  TRITONSERVER_Error* error = TRITONSERVER_LogMessage(level, file, line, text.c_str());
  if (error != nullptr) TRITONSERVER_ErrorDelete(error);
}

namespace detail {

WB_COLD inline void LogAndDelete(TRITONSERVER_Error* error, const char* what) noexcept {
  try {
    Log(TRITONSERVER_LOG_ERROR, Join({what, ": ", TRITONSERVER_ErrorMessage(error)}));
  } catch (...) {  // Out of memory: nothing is left to say it with.
  }
  TRITONSERVER_ErrorDelete(error);
}

// For calls whose failure cannot be answered to anybody: the log keeps it.
inline void LogFailure(TRITONSERVER_Error* error, const char* what) noexcept {
  if (error != nullptr) LogAndDelete(error, what);
}

// The exception in flight. Only inside a catch block.
WB_COLD inline Error CurrentError() {
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
WB_COLD inline TRITONSERVER_Error* CurrentCError() noexcept {
  try {
    const Error error = CurrentError();
    return TRITONSERVER_ErrorNew(error.code(), error.what());
  } catch (...) {
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "out of memory");
  }
}

// Runs body; its exception becomes the C error that an entry point returns.
template <typename Body>
TRITONSERVER_Error* Guard(Body&& body) noexcept {
  try {
    body();
    return nullptr;
  } catch (...) {
    return CurrentCError();
  }
}

}  // namespace detail
}  // namespace workbench
