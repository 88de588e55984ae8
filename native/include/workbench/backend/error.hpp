// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors of a backend: thrown inside, handed to the core as C errors. No exception crosses the C interface.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include "triton/core/tritonserver.h"

// What seldom runs is kept out of what often does.
#define WB_COLD [[gnu::cold]]
// Longer functions stand in definitions/, so that they can be compiled once and linked:
//   WORKBENCH_BACKEND_LINKED    a backend that links them, and is compiled in half the time
//   WORKBENCH_BACKEND_COMPILED  the object that holds them
// With neither, every backend compiles them anew and needs nothing but these headers.
#ifdef WORKBENCH_BACKEND_COMPILED
#define WB_INLINE
#else
#define WB_INLINE inline
#endif

namespace workbench {

namespace detail {

// Texts are put together here and not where they are needed: what a backend compiles stays small.
WB_COLD std::string Join(std::initializer_list<std::string_view> parts);
WB_COLD std::string Decimal(int64_t number);

}  // namespace detail

// What a backend throws to say which status code the caller gets. Any other exception becomes INTERNAL.
class Error : public std::runtime_error {
 public:
  Error(TRITONSERVER_Error_Code code, const std::string& text) : std::runtime_error(text), code_(code) {}
  TRITONSERVER_Error_Code code() const { return code_; }

 private:
  TRITONSERVER_Error_Code code_;
};

WB_COLD Error InvalidArgument(const std::string& text);
WB_COLD Error Unsupported(const std::string& text);
WB_COLD Error Internal(const std::string& text);

namespace detail {

[[noreturn]] WB_COLD void Throw(TRITONSERVER_Error* error);

}  // namespace detail

// Throws what a function of the C interface returned, unless it succeeded.
inline void Check(TRITONSERVER_Error* error) {
  if (error != nullptr) detail::Throw(error);
}

// Writes into the server's log. The place is the caller's.
void Log(TRITONSERVER_LogLevel level, const std::string& text, const char* file = __builtin_FILE(),
         int line = __builtin_LINE());

namespace detail {

WB_COLD void LogAndDelete(TRITONSERVER_Error* error, const char* what) noexcept;

// For calls whose failure cannot be answered to anybody: the log keeps it.
inline void LogFailure(TRITONSERVER_Error* error, const char* what) noexcept {
  if (error != nullptr) LogAndDelete(error, what);
}

// The exception in flight. Only inside a catch block.
WB_COLD Error CurrentError();
WB_COLD TRITONSERVER_Error* CurrentCError() noexcept;

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

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/error.hpp"
#endif
