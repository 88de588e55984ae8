// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// FailurePlan: which calls of something a test makes fail, by their number since it said so.
#pragma once

#include <execinfo.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace workbench {

class FailurePlan {
 public:
  // The calls first .. first + width - 1 from now on fail, on whichever thread.
  void Arm(int64_t first, int64_t width) {
    first_ = first;
    width_ = width;
    count_ = 0;
    is_armed_ = true;
  }
  // Whether any call failed since Arm.
  bool Disarm() {
    is_armed_ = false;
    return count_ > first_;
  }

  // What the call that is made now does. WB_SHOW_FAILURES in the environment: the first that fails shows
  // where.
  bool Fails() {
    if (!is_armed_.load(std::memory_order_relaxed) || exempt_ > 0) return false;
    const int64_t number = count_.fetch_add(1);
    if (number < first_ || number >= first_ + width_) return false;
    if (number == first_ && std::getenv("WB_SHOW_FAILURES") != nullptr) Show();
    return true;
  }

 private:
  friend struct Exempt;

  static void Show() {
    void* frames[32];
    backtrace_symbols_fd(frames, backtrace(frames, 32), 2);
  }

  static inline thread_local int exempt_ = 0;
  std::atomic<bool> is_armed_{false};
  std::atomic<int64_t> first_{0}, width_{0}, count_{0};
};

// For what a test does itself: nothing fails on its thread meanwhile.
struct Exempt {
  Exempt() { ++FailurePlan::exempt_; }
  ~Exempt() { --FailurePlan::exempt_; }
  Exempt(const Exempt&) = delete;
  Exempt& operator=(const Exempt&) = delete;
};

}  // namespace workbench
