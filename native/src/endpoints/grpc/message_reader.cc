// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/message_reader.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace workbench {
namespace {

// What a sender only announces gets no more room than this at once.
constexpr size_t kTrusted = size_t{16} << 20;

}  // namespace

ByteBuffer::ByteBuffer(ByteBuffer&& other) noexcept
    : bytes_(std::move(other.bytes_)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

ByteBuffer& ByteBuffer::operator=(ByteBuffer&& other) noexcept {
  bytes_ = std::move(other.bytes_);
  size_ = std::exchange(other.size_, 0);
  capacity_ = std::exchange(other.capacity_, 0);
  return *this;
}

bool ByteBuffer::Append(std::string_view bytes, size_t expected) {
  const size_t wanted = size_ + bytes.size();
  if (wanted > capacity_) {
    const size_t capacity = std::max(wanted, std::min(expected, std::max(kTrusted, 2 * capacity_)));
    auto* const grown = static_cast<char*>(std::realloc(bytes_.get(), capacity));
    if (grown == nullptr) return false;
    (void)bytes_.release();
    bytes_.reset(grown);
    capacity_ = capacity;
  }
  if (!bytes.empty()) std::memcpy(bytes_.get() + size_, bytes.data(), bytes.size());
  size_ = wanted;
  return true;
}

GrpcStatus MessageReader::Take(std::string_view bytes, std::vector<ByteBuffer>* messages) {
  if (bytes.empty()) return {};
  do {
    if (head_size_ < kHeadSize) {
      const size_t taken = std::min(kHeadSize - head_size_, bytes.size());
      std::memcpy(head_ + head_size_, bytes.data(), taken);
      head_size_ += taken;
      bytes.remove_prefix(taken);
      if (head_size_ < kHeadSize) return {};
      GrpcStatus status = BeginMessage();
      if (!status.ok()) return status;
    }
    const std::string_view part = bytes.substr(0, byte_size_ - message_.size());
    if (!message_.Append(part, byte_size_)) {
      return {GrpcCode::kResourceExhausted,
              "no memory for a message of " + std::to_string(byte_size_) + " bytes"};
    }
    bytes.remove_prefix(part.size());
    if (message_.size() < byte_size_) return {};
    GrpcStatus status = EndMessage(messages);
    if (!status.ok()) return status;
  } while (!bytes.empty());
  return {};
}

GrpcStatus MessageReader::BeginMessage() {
  byte_size_ = 0;
  for (size_t i = 1; i < kHeadSize; ++i) byte_size_ = (byte_size_ << 8) | head_[i];
  if (head_[0] > 1) return {GrpcCode::kInternal, "a message's frame does not begin with 0 or 1"};
  if (head_[0] == 1 && coding_ == ContentCoding::kNone) {
    return {GrpcCode::kInternal, "a message is compressed, but grpc-encoding does not say how"};
  }
  if (byte_size_ <= limit_) return {};
  return {GrpcCode::kResourceExhausted, "a message has " + std::to_string(byte_size_) + " bytes; " +
                                            std::to_string(limit_) + " is the limit"};
}

GrpcStatus MessageReader::EndMessage(std::vector<ByteBuffer>* messages) {
  head_size_ = 0;
  ByteBuffer message = std::move(message_);
  if (head_[0] == 0) {
    messages->push_back(std::move(message));
    return {};
  }
  bool is_too_large = false;
  const Result<std::string> unpacked = Decompress(message.view(), coding_, limit_, &is_too_large);
  if (!unpacked.ok()) {
    return {is_too_large ? GrpcCode::kResourceExhausted : GrpcCode::kInternal, unpacked.status().message()};
  }
  ByteBuffer whole;
  if (!whole.Append(unpacked.value(), unpacked.value().size())) {
    return {GrpcCode::kResourceExhausted, "no memory for an unpacked message"};
  }
  messages->push_back(std::move(whole));
  return {};
}

}  // namespace workbench
