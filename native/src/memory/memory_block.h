// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryBlock: one row of a pool's map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/memory_owner.h"

namespace workbench {

struct MemoryBlock {
  uint64_t address = 0;
  uint64_t byte_size = 0;
  uint64_t slab = 0;  // address of the slab that the block lies in
  MemoryTag owner;
  bool is_free = false;
};

// How far the free bytes are from being one block: 0 = all together, near 1 = scattered.
double Fragmentation(const std::vector<MemoryBlock>& blocks);

}  // namespace workbench
