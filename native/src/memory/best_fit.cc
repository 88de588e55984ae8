// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/best_fit.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "memory/alignment.h"

namespace workbench {

namespace {

BestFit::FreeBlocks::node_type NewPlace() {
  BestFit::FreeBlocks one;
  return one.extract(one.emplace().first);
}

}  // namespace

void BestFit::Add(const Slab& slab) {
  FreeBlocks::node_type place = NewPlace();
  slabs_.push_back(slab);
  try {
    const Blocks::iterator block =
        blocks_.emplace(slab.address, Block{slab.byte_size, slab.address, true, {}}).first;
    PutAmongFree(block, std::move(place));
  } catch (const std::bad_alloc&) {
    slabs_.pop_back();
    throw;
  }
}

std::optional<uintptr_t> BestFit::Take(size_t byte_size, size_t alignment) {
  const auto fits = [&](const auto& free) {
    return AlignUp(free.second, alignment) - free.second + byte_size <= free.first;
  };
  const auto fit = std::find_if(free_.lower_bound({byte_size, 0}), free_.end(), fits);
  if (fit == free_.end()) return std::nullopt;
  const auto first = blocks_.find(fit->second);
  const uintptr_t address = AlignUp(first->first, alignment);
  const auto block = address == first->first ? first : Split(first, address);
  try {
    if (block->second.byte_size > byte_size) Split(block, address + byte_size);
  } catch (const std::bad_alloc&) {
    if (block != first) JoinNext(first);
    throw;
  }
  block->second.place = TakeFromFree(block);
  block->second.is_free = false;
  return address;
}

void BestFit::Give(uintptr_t address) {
  const auto block = blocks_.find(address);
  block->second.is_free = true;
  PutAmongFree(block, std::move(block->second.place));
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

void BestFit::PutAmongFree(Blocks::iterator block, FreeBlocks::node_type place) {
  place.value() = {block->second.byte_size, block->first};
  free_.insert(std::move(place));
}

BestFit::FreeBlocks::node_type BestFit::TakeFromFree(Blocks::iterator block) {
  return free_.extract({block->second.byte_size, block->first});
}

BestFit::Blocks::iterator BestFit::Split(Blocks::iterator block, uintptr_t address) {
  FreeBlocks::node_type second_place = NewPlace();
  const size_t first_byte_size = address - block->first;
  const auto second =
      blocks_.emplace_hint(std::next(block), address,
                           Block{block->second.byte_size - first_byte_size, block->second.slab, true, {}});
  FreeBlocks::node_type first_place = TakeFromFree(block);
  block->second.byte_size = first_byte_size;
  PutAmongFree(block, std::move(first_place));
  PutAmongFree(second, std::move(second_place));
  return second;
}

void BestFit::JoinNext(Blocks::iterator block) {
  const auto next = std::next(block);
  if (next == blocks_.end() || !next->second.is_free || next->second.slab != block->second.slab) return;
  FreeBlocks::node_type place = TakeFromFree(block);
  TakeFromFree(next);
  block->second.byte_size += next->second.byte_size;
  PutAmongFree(block, std::move(place));
  blocks_.erase(next);
}

}  // namespace workbench
