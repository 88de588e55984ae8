// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MessageReader: messages out of the bytes of one stream, each behind its five bytes of frame. Pure.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "endpoints/compression.h"
#include "endpoints/grpc/status.h"

namespace workbench {

// Bytes that grow without being written twice.
class ByteBuffer {
 public:
  ByteBuffer() = default;
  ByteBuffer(ByteBuffer&& other) noexcept;
  ByteBuffer& operator=(ByteBuffer&& other) noexcept;

  std::string_view view() const { return {bytes_.get(), size_}; }
  size_t size() const { return size_; }
  // expected: of all that will come. False without memory for it.
  bool Append(std::string_view bytes, size_t expected);

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  std::unique_ptr<char, Free> bytes_;
  size_t size_ = 0, capacity_ = 0;
};

class MessageReader {
 public:
  // limit: bytes of a message, unpacked. coding: what packed messages are packed with.
  explicit MessageReader(size_t limit, ContentCoding coding = ContentCoding::kNone)
      : limit_(limit), coding_(coding) {}

  // Takes what came; whole messages are added, unpacked. RESOURCE_EXHAUSTED beyond the limit, INTERNAL for
  // what is no frame; then nothing more may be taken.
  GrpcStatus Take(std::string_view bytes, std::vector<ByteBuffer>* messages);
  // Whether a message has begun and lacks its end.
  bool is_within_message() const { return head_size_ > 0; }

 private:
  GrpcStatus BeginMessage();
  GrpcStatus EndMessage(std::vector<ByteBuffer>* messages);

  static constexpr size_t kHeadSize = 5;

  const size_t limit_;
  const ContentCoding coding_;
  uint8_t head_[kHeadSize] = {};
  size_t head_size_ = 0;
  size_t byte_size_ = 0;  // of the message whose head is there
  ByteBuffer message_;
};

}  // namespace workbench
