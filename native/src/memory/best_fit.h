// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BestFit: decides which part of some slabs an allocation gets. Pure: it never touches the bytes, so it
// serves device memory too. The smallest free block that is large enough is taken; free neighbours are
// joined. What is given back needs no memory; what is added or taken may throw std::bad_alloc, and then
// nothing has changed. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace workbench {

class BestFit {
 public:
  static constexpr size_t kGrain = 64;  // block sizes and addresses are multiples of it

  using FreeBlocks = std::set<std::pair<size_t, uintptr_t>>;  // by size, then address

  struct Slab {
    uintptr_t address;
    size_t byte_size;
  };
  struct Block {
    size_t byte_size;
    uintptr_t slab;  // address of the slab that it lies in
    bool is_free;
    FreeBlocks::node_type place;  // among the free ones, while it is not: kept for when it is given back
  };

  // REQUIRES: address and byte_size are multiples of kGrain.
  void Add(const Slab& slab);
  // Address of a block of byte_size, or nothing. REQUIRES: byte_size is a multiple of kGrain and not 0.
  std::optional<uintptr_t> Take(size_t byte_size, size_t alignment);
  // REQUIRES: an address that Take returned and that was not given back since.
  void Give(uintptr_t address);
  // Removes the slabs that are wholly free, and returns them.
  std::vector<Slab> RemoveFreeSlabs();

  // Every block by address; there are no holes within a slab.
  const std::map<uintptr_t, Block>& blocks() const { return blocks_; }
  const std::vector<Slab>& slabs() const { return slabs_; }

 private:
  using Blocks = std::map<uintptr_t, Block>;

  void PutAmongFree(Blocks::iterator block, FreeBlocks::node_type place);
  FreeBlocks::node_type TakeFromFree(Blocks::iterator block);
  // Cuts the free block in two; returns the second part, which starts at address.
  Blocks::iterator Split(Blocks::iterator block, uintptr_t address);
  // Joins the free block with the next one if that is free and of the same slab.
  void JoinNext(Blocks::iterator block);

  Blocks blocks_;
  FreeBlocks free_;
  std::vector<Slab> slabs_;
};

}  // namespace workbench
