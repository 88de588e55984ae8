// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Parker: lets one thread sleep until another wakes it, and lets the waker see, without a system call, that
// there is nobody to wake. Owned by the sleeping thread's owner.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace workbench {

class Parker {
 public:
  // The sleeper announces that it will sleep; what it waits for must be checked again after that.
  void Announce() { word_.store(kParked, std::memory_order_seq_cst); }
  void Withdraw() { word_.store(kAwake, std::memory_order_seq_cst); }
  // Sleeps until woken, or for timeout_ns (0: for ever). May return early. REQUIRES: Announce.
  void Sleep(uint64_t timeout_ns = 0) {
    timespec timeout{static_cast<time_t>(timeout_ns / 1'000'000'000),
                     static_cast<long>(timeout_ns % 1'000'000'000)};
    if (word_.load(std::memory_order_seq_cst) == kParked) {
      syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, kParked, timeout_ns == 0 ? nullptr : &timeout, nullptr,
              0);
    }
  }
  // True if there was a sleeper, who is woken by this call and no other.
  bool Wake() {
    uint32_t expected = kParked;
    if (!word_.compare_exchange_strong(expected, kAwake, std::memory_order_seq_cst)) return false;
    syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    return true;
  }
  bool is_parked() const { return word_.load(std::memory_order_seq_cst) == kParked; }

 private:
  static constexpr uint32_t kAwake = 0;
  static constexpr uint32_t kParked = 1;
  std::atomic<uint32_t> word_{kAwake};
};

}  // namespace workbench
