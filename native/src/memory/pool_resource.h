// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// PoolResource: hands out parts of large slabs that it takes from another resource. Small blocks (up to
// 64 KiB) are kept by size class once freed, which makes them cheap to hand out again; all others go by best
// fit. A slab is given back by Trim alone, or when its bytes are needed for a larger one. Any thread may
// call it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "memory/best_fit.h"
#include "memory/memory_block.h"
#include "memory/memory_events.h"
#include "memory/memory_resource.h"
#include "memory/size_class.h"

namespace workbench {

class PoolResource final : public MemoryResource {
 public:
  struct Options {
    size_t first_slab_byte_size = size_t{1} << 20;  // each slab is as large as all before it together,
    size_t max_slab_byte_size = size_t{64} << 20;   // up to this; larger ones only for larger allocations
    size_t alignment = kDefaultAlignment;           // of every block, at least
    size_t slab_alignment = 4096;                   // that the other resource gives
  };
  struct Statistics {
    size_t live_byte_size = 0;      // as asked for
    size_t used_byte_size = 0;      // of the blocks they lie in
    size_t reserved_byte_size = 0;  // of all slabs
    size_t peak_live_byte_size = 0;
    size_t slab_count = 0;
    uint64_t allocations = 0;
    uint64_t hits = 0;  // of these, those for which nothing had to be reserved
    uint64_t failures = 0;
  };

  static std::unique_ptr<PoolResource> Create(const Options& options, MemoryResource& upstream,
                                              MemoryEvents& events);
  // REQUIRES: everything allocated has been deallocated.
  ~PoolResource() override;

  Result<void*> Allocate(size_t byte_size, size_t alignment = kDefaultAlignment) override EXCLUDES(mutex_);
  void Deallocate(void* bytes, size_t byte_size, size_t alignment = kDefaultAlignment) override
      EXCLUDES(mutex_);
  MemoryPlace place() const override { return upstream_.place(); }

  // Gives slabs without a live block back to the other resource.
  // Returns how many bytes that were.
  size_t Trim() EXCLUDES(mutex_);

  Statistics statistics() const EXCLUDES(mutex_);
  // Every block by address, free neighbours as one; owners are not known here.
  std::vector<MemoryBlock> Blocks() const EXCLUDES(mutex_);

 private:
  PoolResource(const Options& options, MemoryResource& upstream, MemoryEvents& events)
      : options_(options), upstream_(upstream), events_(events) {}

  Result<void*> AllocateAligned(size_t byte_size, size_t alignment) EXCLUDES(mutex_);
  void* Take(size_t byte_size, size_t alignment) REQUIRES(mutex_);
  // Whether a freed block of this request is kept for the next one of its class.
  bool IsKept(size_t byte_size, size_t alignment) const;
  size_t BlockByteSize(size_t byte_size, size_t alignment) const;
  std::optional<uintptr_t> TakeKept(size_t byte_size) REQUIRES(mutex_);
  std::optional<uintptr_t> TakeFromSpace(size_t byte_size, size_t alignment) REQUIRES(mutex_);
  // Keeps a freed block for the next one of its class; false where there is no memory for that.
  bool Keep(uintptr_t address, size_t byte_size) REQUIRES(mutex_);
  // Gives the kept blocks back to space_; whether there were any.
  bool JoinKeptBlocks() REQUIRES(mutex_);

  // Adds a slab of at least byte_size, unless one was added since growth number `seen`.
  Status Grow(size_t byte_size, uint64_t seen) EXCLUDES(mutex_);
  bool BeginGrowing(uint64_t seen, size_t* wanted_byte_size) EXCLUDES(mutex_);
  // Returns how many bytes are reserved now.
  size_t EndGrowing(bool has_grown) EXCLUDES(mutex_);
  Result<BestFit::Slab> NewSlab(size_t wanted_byte_size, size_t least_byte_size) EXCLUDES(mutex_);
  Status AddSlab(const BestFit::Slab& slab) EXCLUDES(mutex_);

  // Constant.
  const Options options_;
  MemoryResource& upstream_;
  MemoryEvents& events_;

  // Guarded.
  mutable Mutex mutex_;
  CondVar grown_;
  bool is_growing_ GUARDED_BY(mutex_) = false;
  uint64_t growths_ GUARDED_BY(mutex_) = 0;
  BestFit space_ GUARDED_BY(mutex_);
  std::array<std::vector<uintptr_t>, SizeClass::kCount> kept_
      GUARDED_BY(mutex_);  // freed, but used in space_
  Statistics statistics_ GUARDED_BY(mutex_);
};

}  // namespace workbench
