// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/status.h"

#include <algorithm>

namespace workbench {
namespace {

GrpcCode CodeOf(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return GrpcCode::kOk;
    case StatusCode::kInternal:
      return GrpcCode::kInternal;
    case StatusCode::kNotFound:
      return GrpcCode::kNotFound;
    case StatusCode::kInvalidArgument:
      return GrpcCode::kInvalidArgument;
    case StatusCode::kUnavailable:
      return GrpcCode::kUnavailable;
    case StatusCode::kUnsupported:
      return GrpcCode::kUnimplemented;
    case StatusCode::kAlreadyExists:
      return GrpcCode::kAlreadyExists;
    case StatusCode::kCancelled:
      return GrpcCode::kCancelled;
    default:
      return GrpcCode::kUnknown;
  }
}

// Nanoseconds of a unit; 0 for none.
int64_t UnitOf(char unit) {
  switch (unit) {
    case 'H':
      return 3'600'000'000'000;
    case 'M':
      return 60'000'000'000;
    case 'S':
      return 1'000'000'000;
    case 'm':
      return 1'000'000;
    case 'u':
      return 1'000;
    case 'n':
      return 1;
    default:
      return 0;
  }
}

}  // namespace

GrpcStatus GrpcStatusOf(const Status& status) { return {CodeOf(status.code()), status.message()}; }

std::string PercentEncoded(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char letter : text) {
    if (letter >= ' ' && letter <= '~' && letter != '%') {
      encoded.push_back(letter);
      continue;
    }
    const auto byte = static_cast<uint8_t>(letter);
    encoded.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return encoded;
}

Result<std::chrono::nanoseconds> TimeoutOf(std::string_view text) {
  constexpr size_t kMostDigits = 8;
  const auto wrong = [text] {
    return InvalidArgumentError("grpc-timeout is '" + std::string(text) + "'; it must be like 100m or 5S");
  };
  if (text.size() < 2 || text.size() > kMostDigits + 1) return wrong();
  const int64_t unit = UnitOf(text.back());
  int64_t count = 0;
  for (const char digit : text.substr(0, text.size() - 1)) {
    if (digit < '0' || digit > '9') return wrong();
    count = count * 10 + (digit - '0');
  }
  if (unit == 0) return wrong();
  constexpr int64_t kLongest = int64_t{365} * 24 * 3'600'000'000'000;  // beyond it clocks would overflow
  return std::chrono::nanoseconds(count > kLongest / unit ? kLongest : count * unit);
}

}  // namespace workbench
