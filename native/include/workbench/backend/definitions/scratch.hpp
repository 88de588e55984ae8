// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What scratch.hpp declares.
#pragma once

#include "workbench/backend/scratch.hpp"

namespace workbench::detail {

WB_INLINE void* Scratch::Take(size_t byte_size) {
  if (next_ == blocks_.size()) blocks_.emplace_back();
  Block& block = blocks_[next_++];
  if (!block.bytes || block.byte_size < byte_size) block = Block(byte_size);
  return block.bytes.get();
}

}  // namespace workbench::detail
