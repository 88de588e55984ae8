// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// How calls end (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md), and two of the protocol's
// notations.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace workbench {

enum class GrpcCode : uint8_t {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kResourceExhausted = 8,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kUnauthenticated = 16,
};

struct GrpcStatus {
  GrpcCode code = GrpcCode::kOk;
  std::string message;

  bool ok() const { return code == GrpcCode::kOk; }
};

GrpcStatus GrpcStatusOf(const Status& status);

// As grpc-message has it: printable ASCII, the rest as %XX.
std::string PercentEncoded(std::string_view text);

// Of grpc-timeout: at most eight digits and a unit. INVALID_ARGUMENT for anything else.
Result<std::chrono::nanoseconds> TimeoutOf(std::string_view text);

}  // namespace workbench
