// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ScopedMemoryOwner: says for which model this thread allocates just now. A backend that asks the memory
// manager for bytes cannot say it, so the thread that calls into the backend does.
#pragma once

#include <cstdint>

namespace workbench {

class ScopedMemoryOwner {
 public:
  explicit ScopedMemoryOwner(uint16_t model) : before_(current_) { current_ = model; }
  ~ScopedMemoryOwner() { current_ = before_; }
  ScopedMemoryOwner(const ScopedMemoryOwner&) = delete;
  ScopedMemoryOwner& operator=(const ScopedMemoryOwner&) = delete;

  // Number of the model, or 0: nobody said.
  static uint16_t Current() { return current_; }

 private:
  static inline thread_local uint16_t current_ = 0;
  const uint16_t before_;
};

}  // namespace workbench
