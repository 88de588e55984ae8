// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Scratch: memory that lasts for one execution. An instance owns one and uses it from one thread at a time.
// The n-th piece of each execution reuses the n-th block, so that a steady load allocates nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "workbench/backend/error.hpp"

namespace workbench::detail {

class Scratch {
 public:
  // Aligned for any vector instruction; valid until Reset.
  void* Take(size_t byte_size);
  void Reset() { next_ = 0; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Delete {
    void operator()(void* bytes) const { ::operator delete(bytes, kAlignment); }
  };
  struct Block {
    Block() = default;
    explicit Block(size_t size) : byte_size(size), bytes(::operator new(size, kAlignment)) {}
    size_t byte_size = 0;
    std::unique_ptr<void, Delete> bytes;
  };

  std::vector<Block> blocks_;
  size_t next_ = 0;
};

}  // namespace workbench::detail

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/scratch.hpp"
#endif
