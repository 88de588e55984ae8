// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// FrameTracker: whether a client is within a frame of HTTP/2, and since when. Pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace workbench {

class FrameTracker {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // A connection begins with its client's greeting, which is no frame, but counts as one.
  explicit FrameTracker(TimePoint now) : since_(now) {}

  void Take(std::string_view bytes, TimePoint now) {
    while (!bytes.empty()) {
      if (head_size_ == 0) {
        since_ = now;
        left_ = 0;
      }
      const bool is_head = head_size_ < kHeadSize;
      const size_t taken = is_head ? 1 : std::min<size_t>(left_, bytes.size());
      // The first three bytes of a frame are its payload's length.
      if (is_head && head_size_++ < 3) left_ = (left_ << 8) | static_cast<uint8_t>(bytes[0]);
      if (!is_head) left_ -= taken;
      bytes.remove_prefix(taken);
      if (head_size_ == kHeadSize && left_ == 0) head_size_ = 0;
    }
  }
  bool is_within() const { return head_size_ > 0; }
  TimePoint since() const { return since_; }

 private:
  static constexpr size_t kHeadSize = 9, kGreetingSize = 24;

  TimePoint since_;
  size_t head_size_ = kHeadSize;
  size_t left_ = kGreetingSize;
};

}  // namespace workbench
