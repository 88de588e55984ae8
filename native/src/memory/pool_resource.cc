// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/pool_resource.h"

#include <algorithm>
#include <string>

#include "base/out_of_memory.h"
#include "base/patience.h"
#include "memory/alignment.h"

namespace workbench {
namespace {

constexpr size_t kLargestByteSize = SIZE_MAX / 4;

void* ToBytes(uintptr_t address) { return reinterpret_cast<void*>(address); }
uintptr_t ToAddress(const void* bytes) { return reinterpret_cast<uintptr_t>(bytes); }

}  // namespace

std::unique_ptr<PoolResource> PoolResource::Create(const Options& options, MemoryResource& upstream,
                                                   MemoryEvents& events) {
  return std::unique_ptr<PoolResource>(new PoolResource(options, upstream, events));
}

PoolResource::~PoolResource() {
  const Patience patience;  // for the list of slabs
  Trim();
}

// Blocks that are kept lie at multiples of the pool's own alignment.
bool PoolResource::IsKept(size_t byte_size, size_t alignment) const {
  return byte_size <= SizeClass::kLargest && alignment <= std::max(BestFit::kGrain, options_.alignment);
}

size_t PoolResource::BlockByteSize(size_t byte_size, size_t alignment) const {
  if (IsKept(byte_size, alignment)) return SizeClass::ByteSize(SizeClass::IndexOf(byte_size));
  return AlignUp(std::max<size_t>(byte_size, 1), BestFit::kGrain);
}

Result<void*> PoolResource::Allocate(size_t byte_size, size_t alignment) {
  return OrOutOfMemory([&]() -> Result<void*> {
    RETURN_IF_ERROR(CheckAlignment(alignment));
    if (byte_size > kLargestByteSize || alignment > kLargestByteSize) {
      return UnavailableError("no pool can hold " + std::to_string(byte_size) + " bytes");
    }
    return AllocateAligned(byte_size, std::max(alignment, options_.alignment));
  });
}

Result<void*> PoolResource::AllocateAligned(size_t byte_size, size_t alignment) {
  for (bool is_hit = true;; is_hit = false) {
    uint64_t seen;
    {
      MutexLock lock(&mutex_);
      if (void* bytes = Take(byte_size, alignment)) {
        statistics_.hits += is_hit;
        return bytes;
      }
      seen = growths_;
    }
    const size_t padding = alignment > options_.slab_alignment ? alignment : 0;
    RETURN_IF_ERROR(Grow(BlockByteSize(byte_size, alignment) + padding, seen));
  }
}

void* PoolResource::Take(size_t byte_size, size_t alignment) {
  std::optional<uintptr_t> address;
  if (IsKept(byte_size, alignment)) address = TakeKept(byte_size);
  if (!address) address = TakeFromSpace(BlockByteSize(byte_size, alignment), alignment);
  if (!address) return nullptr;
  statistics_.live_byte_size += byte_size;
  statistics_.used_byte_size += BlockByteSize(byte_size, alignment);
  statistics_.peak_live_byte_size = std::max(statistics_.peak_live_byte_size, statistics_.live_byte_size);
  ++statistics_.allocations;
  return ToBytes(*address);
}

std::optional<uintptr_t> PoolResource::TakeKept(size_t byte_size) {
  auto& kept = kept_[SizeClass::IndexOf(byte_size)];
  if (kept.empty()) return std::nullopt;
  const uintptr_t address = kept.back();
  kept.pop_back();
  return address;
}

std::optional<uintptr_t> PoolResource::TakeFromSpace(size_t byte_size, size_t alignment) {
  std::optional<uintptr_t> address = space_.Take(byte_size, alignment);
  if (!address && JoinKeptBlocks()) address = space_.Take(byte_size, alignment);
  return address;
}

bool PoolResource::Keep(uintptr_t address, size_t byte_size) {
  try {
    const Patience none(false);  // there is another way
    kept_[SizeClass::IndexOf(byte_size)].push_back(address);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool PoolResource::JoinKeptBlocks() {
  bool is_any = false;
  for (auto& kept : kept_) {
    is_any |= !kept.empty();
    for (const uintptr_t address : kept) space_.Give(address);
    kept.clear();
  }
  return is_any;
}

void PoolResource::Deallocate(void* bytes, size_t byte_size, size_t asked_alignment) {
  const size_t alignment = std::max(asked_alignment, options_.alignment);
  MutexLock lock(&mutex_);
  statistics_.live_byte_size -= byte_size;
  statistics_.used_byte_size -= BlockByteSize(byte_size, alignment);
  if (IsKept(byte_size, alignment) && Keep(ToAddress(bytes), byte_size)) return;
  space_.Give(ToAddress(bytes));
}

Status PoolResource::Grow(size_t byte_size, uint64_t seen) {
  size_t wanted_byte_size;
  if (!BeginGrowing(seen, &wanted_byte_size)) return OkStatus();
  const size_t least_byte_size = AlignUp(byte_size, BestFit::kGrain);
  Result<BestFit::Slab> slab =
      OrOutOfMemory([&] { return NewSlab(std::max(wanted_byte_size, least_byte_size), least_byte_size); });
  const size_t reserved_byte_size = EndGrowing(slab.ok());
  if (slab.ok()) events_.Grown(ToBytes(slab->address), slab->byte_size, reserved_byte_size);
  return slab.status();
}

bool PoolResource::BeginGrowing(uint64_t seen, size_t* wanted_byte_size) {
  MutexLock lock(&mutex_);
  while (is_growing_) grown_.Wait(&mutex_);
  if (growths_ != seen) return false;
  is_growing_ = true;
  *wanted_byte_size =
      AlignUp(std::min(std::max(statistics_.reserved_byte_size, options_.first_slab_byte_size),
                       options_.max_slab_byte_size),
              BestFit::kGrain);
  return true;
}

size_t PoolResource::EndGrowing(bool has_grown) {
  size_t reserved_byte_size;
  {
    MutexLock lock(&mutex_);
    is_growing_ = false;
    if (!has_grown) ++statistics_.failures;
    reserved_byte_size = statistics_.reserved_byte_size;
  }
  grown_.NotifyAll();
  return reserved_byte_size;
}

Result<BestFit::Slab> PoolResource::NewSlab(size_t wanted_byte_size, size_t least_byte_size) {
  for (;;) {
    Result<void*> bytes = upstream_.Allocate(wanted_byte_size, options_.slab_alignment);
    if (bytes.ok()) {
      const BestFit::Slab slab{ToAddress(*bytes), wanted_byte_size};
      RETURN_IF_ERROR(AddSlab(slab));
      return slab;
    }
    if (wanted_byte_size > least_byte_size) {
      wanted_byte_size = std::max(least_byte_size, AlignUp(wanted_byte_size / 2, BestFit::kGrain));
    } else if (Trim() == 0) {
      return bytes.status();
    }
  }
}

Status PoolResource::AddSlab(const BestFit::Slab& slab) {
  Status status = OrOutOfMemory([&] {
    MutexLock lock(&mutex_);
    space_.Add(slab);
    statistics_.reserved_byte_size += slab.byte_size;
    ++statistics_.slab_count;
    ++growths_;
    return OkStatus();
  });
  if (!status.ok()) upstream_.Deallocate(ToBytes(slab.address), slab.byte_size, options_.slab_alignment);
  return status;
}

size_t PoolResource::Trim() {
  std::vector<BestFit::Slab> slabs;
  size_t reserved_byte_size;
  {
    MutexLock lock(&mutex_);
    JoinKeptBlocks();
    slabs = space_.RemoveFreeSlabs();
    for (const BestFit::Slab& slab : slabs) statistics_.reserved_byte_size -= slab.byte_size;
    statistics_.slab_count -= slabs.size();
    reserved_byte_size = statistics_.reserved_byte_size;
  }
  size_t trimmed_byte_size = 0;
  for (const BestFit::Slab& slab : slabs) {
    upstream_.Deallocate(ToBytes(slab.address), slab.byte_size, options_.slab_alignment);
    events_.Shrunk(ToBytes(slab.address), slab.byte_size, reserved_byte_size);
    trimmed_byte_size += slab.byte_size;
  }
  return trimmed_byte_size;
}

PoolResource::Statistics PoolResource::statistics() const {
  MutexLock lock(&mutex_);
  return statistics_;
}

std::vector<MemoryBlock> PoolResource::Blocks() const {
  MutexLock lock(&mutex_);
  std::vector<uintptr_t> kept;
  for (const auto& of_class : kept_) kept.insert(kept.end(), of_class.begin(), of_class.end());
  std::sort(kept.begin(), kept.end());
  std::vector<MemoryBlock> blocks;
  for (const auto& [address, block] : space_.blocks()) {
    const bool is_free = block.is_free || std::binary_search(kept.begin(), kept.end(), address);
    if (is_free && !blocks.empty() && blocks.back().is_free && blocks.back().slab == block.slab) {
      blocks.back().byte_size += block.byte_size;
    } else {
      blocks.push_back({address, block.byte_size, block.slab, {}, is_free});
    }
  }
  return blocks;
}

}  // namespace workbench
