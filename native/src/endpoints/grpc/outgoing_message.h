// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// OutgoingMessage: one message on its way to a client: bytes that were written for it, and large ones that
// are borrowed from the response. Written once, then read by whoever sends it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "endpoints/compression.h"
#include "endpoints/inference.h"

namespace workbench {

class OutgoingMessage {
 public:
  OutgoingMessage() : text_(kFront, '\0') {}

  // To be appended to.
  std::string* text() { return &text_; }
  // The bytes come next. Large ones must stay: see Keep.
  void Append(std::string_view bytes);
  bool has_borrowed() const { return !borrowed_.empty(); }
  void Keep(ResponsePtr response) { response_ = std::move(response); }
  // The trace hears when it is sent.
  void Follow(std::shared_ptr<TraceBridge> trace) { trace_ = std::move(trace); }
  void Report(const char* activity) const {
    if (trace_ != nullptr) trace_->Report(activity, SteadyClock::Read());
  }
  // What is there becomes that field of an outer message.
  void Wrap(uint32_t field);
  // Of the message, without its frame.
  size_t byte_size() const { return text_.size() - begin_ + borrowed_size_; }

  // Puts the frame before it; once, when all is there. Packed where there is a coding.
  Status Frame(ContentCoding coding, int level);
  // Of the whole, in order, at most that many of its bytes from `offset` on.
  template <typename Visit>
  void Read(size_t offset, size_t byte_size, const Visit& visit) const;

 private:
  struct Borrowed {
    size_t at;  // of the text, which goes on after it
    std::string_view bytes;
  };

  static constexpr size_t kFront = 16;  // room for a frame and the head of an outer message

  void PutBefore(std::string_view bytes);
  Status Pack(ContentCoding coding, int level);

  std::string text_;
  size_t begin_ = kFront;
  std::vector<Borrowed> borrowed_;
  size_t borrowed_size_ = 0;
  ResponsePtr response_;
  std::shared_ptr<TraceBridge> trace_;  // with the inference
};

template <typename Visit>
void OutgoingMessage::Read(size_t offset, size_t byte_size, const Visit& visit) const {
  const auto give = [&](std::string_view part) {
    const size_t skipped = std::min(offset, part.size());
    offset -= skipped;
    part = part.substr(skipped, byte_size);
    byte_size -= part.size();
    if (!part.empty()) visit(part);
  };
  size_t at = begin_;
  for (const Borrowed& borrowed : borrowed_) {
    give(std::string_view(text_).substr(at, borrowed.at - at));
    give(borrowed.bytes);
    at = borrowed.at;
  }
  give(std::string_view(text_).substr(at));
}

}  // namespace workbench
