// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/grpc_request.h"

#include <charconv>

#include "endpoints/grpc/status.h"
#include "endpoints/grpc/wire.h"

namespace workbench {
namespace {

// Fields of ModelInferRequest, of the entries of its map, and of InferParameter.
constexpr uint32_t kParameters = 4;
constexpr uint32_t kKey = 1;
constexpr uint32_t kValue = 2;
constexpr uint32_t kBool = 1;
constexpr uint32_t kInteger = 2;

void AppendParameter(std::string_view name, uint32_t type, uint64_t number, std::string* message) {
  std::string value;
  AppendNumber(type, number, &value);
  std::string entry;
  AppendBytes(kKey, name, &entry);
  AppendBytes(kValue, value, &entry);
  AppendBytes(kParameters, entry, message);
}

}  // namespace

std::string SequenceParameters(const PlannedRequest& planned) {
  std::string parameters;
  if (planned.sequence == 0) return parameters;
  AppendParameter("sequence_id", kInteger, planned.sequence, &parameters);
  AppendParameter("sequence_start", kBool, (planned.flags & kSequenceStart) != 0 ? 1 : 0, &parameters);
  AppendParameter("sequence_end", kBool, (planned.flags & kSequenceEnd) != 0 ? 1 : 0, &parameters);
  return parameters;
}

std::string MessageFrame(size_t byte_size) {
  std::string frame(1, '\0');  // not packed
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>((byte_size >> shift) & 0xff);
  return frame;
}

StatusCode StatusOfGrpc(std::string_view text) {
  int code = -1;
  std::from_chars(text.data(), text.data() + text.size(), code);
  switch (static_cast<GrpcCode>(code)) {
    case GrpcCode::kOk:
      return StatusCode::kOk;
    case GrpcCode::kCancelled:
      return StatusCode::kCancelled;
    case GrpcCode::kInvalidArgument:
      return StatusCode::kInvalidArgument;
    case GrpcCode::kNotFound:
      return StatusCode::kNotFound;
    case GrpcCode::kAlreadyExists:
      return StatusCode::kAlreadyExists;
    case GrpcCode::kUnimplemented:
      return StatusCode::kUnsupported;
    case GrpcCode::kInternal:
      return StatusCode::kInternal;
    case GrpcCode::kDeadlineExceeded:
    case GrpcCode::kResourceExhausted:
    case GrpcCode::kUnavailable:
      return StatusCode::kUnavailable;
    default:
      return StatusCode::kUnknown;
  }
}

}  // namespace workbench
