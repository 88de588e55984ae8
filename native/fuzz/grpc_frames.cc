// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a stream, in pieces: a byte for the form in which messages are packed, one for the size of the
// pieces, then the bytes. How they are cut changes nothing, and no message is beyond the limit.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "endpoints/grpc/message_reader.h"

namespace {

constexpr size_t kLimit = size_t{1} << 16;

struct Read {
  std::vector<std::string> messages;
  workbench::GrpcCode code = workbench::GrpcCode::kOk;
  bool is_within = false;
};

Read ReadInPieces(std::string_view bytes, size_t piece, workbench::ContentCoding coding) {
  workbench::MessageReader reader(kLimit, coding);
  Read read;
  std::vector<workbench::ByteBuffer> messages;
  for (size_t at = 0; at < bytes.size() && read.code == workbench::GrpcCode::kOk; at += piece)
    read.code = reader.Take(bytes.substr(at, piece), &messages).code;
  for (const auto& message : messages) read.messages.emplace_back(message.view());
  read.is_within = reader.is_within_message();
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const auto coding = static_cast<workbench::ContentCoding>(data[0] % 3);
  const size_t piece = size_t{1} + data[1];
  const std::string bytes(reinterpret_cast<const char*>(data + 2), size - 2);
  const Read whole = ReadInPieces(bytes, std::max<size_t>(1, bytes.size()), coding);
  const Read pieces = ReadInPieces(bytes, piece, coding);
  if (whole.code != pieces.code || whole.messages != pieces.messages) std::abort();
  if (whole.code == workbench::GrpcCode::kOk && whole.is_within != pieces.is_within) std::abort();
  for (const std::string& message : whole.messages)
    if (message.size() > kLimit) std::abort();
  return 0;
}
