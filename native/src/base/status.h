// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Status: how every operation of the core reports failure. A value, free to copy between threads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace workbench {

// One to one with TRITONSERVER_Error_Code, shifted by one to make room for success.
enum class StatusCode : uint8_t {
  kOk,
  kUnknown,
  kInternal,
  kNotFound,
  kInvalidArgument,
  kUnavailable,
  kUnsupported,
  kAlreadyExists,
  kCancelled,
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

inline Status OkStatus() { return Status(); }
inline Status InternalError(std::string message) { return {StatusCode::kInternal, std::move(message)}; }
inline Status NotFoundError(std::string message) { return {StatusCode::kNotFound, std::move(message)}; }
inline Status InvalidArgumentError(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}
inline Status UnavailableError(std::string message) { return {StatusCode::kUnavailable, std::move(message)}; }
inline Status UnsupportedError(std::string message) { return {StatusCode::kUnsupported, std::move(message)}; }
inline Status AlreadyExistsError(std::string message) {
  return {StatusCode::kAlreadyExists, std::move(message)};
}
inline Status CancelledError(std::string message) { return {StatusCode::kCancelled, std::move(message)}; }

}  // namespace workbench

#define WB_CONCAT_INNER(a, b) a##b
#define WB_CONCAT(a, b) WB_CONCAT_INNER(a, b)

#define RETURN_IF_ERROR(expression)               \
  do {                                            \
    ::workbench::Status wb_status = (expression); \
    if (!wb_status.ok()) return wb_status;        \
  } while (false)
