// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_block.h"

#include <algorithm>

namespace workbench {

double Fragmentation(const std::vector<MemoryBlock>& blocks) {
  uint64_t total = 0;
  uint64_t largest = 0;
  for (const MemoryBlock& block : blocks) {
    if (!block.is_free) continue;
    total += block.byte_size;
    largest = std::max(largest, block.byte_size);
  }
  return total == 0 ? 0.0 : 1.0 - static_cast<double>(largest) / static_cast<double>(total);
}

}  // namespace workbench
