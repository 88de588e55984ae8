// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/best_fit.h"

#include <algorithm>
#include <iterator>

#include "memory/alignment.h"

namespace workbench {

void BestFit::Add(const Slab& slab) {
  slabs_.push_back(slab);
  const auto [block, _] = blocks_.emplace(slab.address, Block{slab.byte_size, slab.address, false});
  MarkFree(block, true);
}

std::optional<uintptr_t> BestFit::Take(size_t byte_size, size_t alignment) {
  const auto fits = [&](const auto& free) {
    return AlignUp(free.second, alignment) - free.second + byte_size <= free.first;
  };
  const auto fit = std::find_if(free_.lower_bound({byte_size, 0}), free_.end(), fits);
  if (fit == free_.end()) return std::nullopt;
  auto block = blocks_.find(fit->second);
  const uintptr_t address = AlignUp(block->first, alignment);
  if (address != block->first) block = Split(block, address);
  if (block->second.byte_size > byte_size) Split(block, address + byte_size);
  MarkFree(block, false);
  return address;
}

void BestFit::Give(uintptr_t address) {
  auto block = blocks_.find(address);
  MarkFree(block, true);
  JoinNext(block);
  if (block != blocks_.begin() && std::prev(block)->second.is_free) JoinNext(std::prev(block));
}

std::vector<BestFit::Slab> BestFit::RemoveFreeSlabs() {
  std::vector<Slab> removed;
  const auto is_in_use = [this](const Slab& slab) {
    const Block& first = blocks_.at(slab.address);
    return !first.is_free || first.byte_size != slab.byte_size;
  };
  const auto free_slabs = std::stable_partition(slabs_.begin(), slabs_.end(), is_in_use);
  removed.assign(free_slabs, slabs_.end());
  slabs_.erase(free_slabs, slabs_.end());
  for (const Slab& slab : removed) {
    free_.erase({slab.byte_size, slab.address});
    blocks_.erase(slab.address);
  }
  return removed;
}

void BestFit::MarkFree(Blocks::iterator block, bool is_free) {
  block->second.is_free = is_free;
  if (is_free) {
    free_.emplace(block->second.byte_size, block->first);
  } else {
    free_.erase({block->second.byte_size, block->first});
  }
}

BestFit::Blocks::iterator BestFit::Split(Blocks::iterator block, uintptr_t address) {
  free_.erase({block->second.byte_size, block->first});
  const size_t first_byte_size = address - block->first;
  const Block second{block->second.byte_size - first_byte_size, block->second.slab, true};
  block->second.byte_size = first_byte_size;
  free_.emplace(first_byte_size, block->first);
  free_.emplace(second.byte_size, address);
  return blocks_.emplace_hint(std::next(block), address, second);
}

void BestFit::JoinNext(Blocks::iterator block) {
  const auto next = std::next(block);
  if (next == blocks_.end() || !next->second.is_free || next->second.slab != block->second.slab) return;
  free_.erase({block->second.byte_size, block->first});
  free_.erase({next->second.byte_size, next->first});
  block->second.byte_size += next->second.byte_size;
  free_.emplace(block->second.byte_size, block->first);
  blocks_.erase(next);
}

}  // namespace workbench
