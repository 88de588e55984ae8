// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/outgoing_message.h"

#include "endpoints/grpc/wire.h"

namespace workbench {
namespace {

// What is smaller is cheaper to copy than to send from where it lies.
constexpr size_t kBorrowedFrom = size_t{16} << 10;

}  // namespace

void OutgoingMessage::Append(std::string_view bytes) {
  if (bytes.size() < kBorrowedFrom) {
    text_.append(bytes);
    return;
  }
  borrowed_.push_back({text_.size(), bytes});
  borrowed_size_ += bytes.size();
}

void OutgoingMessage::PutBefore(std::string_view bytes) {
  begin_ -= bytes.size();
  text_.replace(begin_, bytes.size(), bytes);
}

void OutgoingMessage::Wrap(uint32_t field) {
  std::string head;
  AppendLength(field, byte_size(), &head);
  PutBefore(head);
}

Status OutgoingMessage::Frame(ContentCoding coding, int level) {
  if (coding != ContentCoding::kNone) RETURN_IF_ERROR(Pack(coding, level));
  const size_t size = byte_size();
  if (size > UINT32_MAX) {
    return InternalError("the answer has " + std::to_string(size) + " bytes, more than a message may have");
  }
  const char frame[] = {static_cast<char>(coding == ContentCoding::kNone ? 0 : 1),
                        static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                        static_cast<char>(size >> 8), static_cast<char>(size)};
  PutBefore({frame, sizeof frame});
  return OkStatus();
}

Status OutgoingMessage::Pack(ContentCoding coding, int level) {
  std::string whole;
  whole.reserve(byte_size());
  Read(0, byte_size(), [&whole](std::string_view part) { whole.append(part); });
  ASSIGN_OR_RETURN(const std::string packed, Compress(whole, coding, level));
  text_.assign(kFront, '\0');
  text_.append(packed);
  begin_ = kFront;
  borrowed_.clear();
  borrowed_size_ = 0;
  response_.reset();
  return OkStatus();
}

}  // namespace workbench
