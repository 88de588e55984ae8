// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryTag: whose some bytes are. ScopedMemoryOwner says for whom this thread allocates just now: a backend
// that asks the memory manager for bytes cannot say it, so the thread that calls into the backend does.
#pragma once

#include <cstdint>

namespace workbench {

struct MemoryTag {
  uint16_t model = 0;     // number of the model in events, or 0: nobody said
  uint16_t instance = 0;  // 1 + its index, or 0: none
  uint16_t tensor = 0;    // number of the name among the engine's tensors, or 0: none

  bool operator==(const MemoryTag& other) const {
    return model == other.model && instance == other.instance && tensor == other.tensor;
  }
};

class ScopedMemoryOwner {
 public:
  explicit ScopedMemoryOwner(uint16_t model, uint16_t instance = 0)
      : ScopedMemoryOwner({model, instance, 0}) {}
  explicit ScopedMemoryOwner(const MemoryTag& tag) : before_(current_) { current_ = tag; }
  ~ScopedMemoryOwner() { current_ = before_; }
  ScopedMemoryOwner(const ScopedMemoryOwner&) = delete;
  ScopedMemoryOwner& operator=(const ScopedMemoryOwner&) = delete;

  static MemoryTag Current() { return current_; }

 private:
  static inline thread_local MemoryTag current_;
  const MemoryTag before_;
};

}  // namespace workbench
