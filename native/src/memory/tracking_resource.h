// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// TrackingResource: passes allocations on, and knows what is live and which model it belongs to
// (ScopedMemoryOwner, at the allocation). Tells every allocation to the pool's events. Any thread may call
// it; any thread may deallocate.
#pragma once

#include <memory>
#include <vector>

#include "base/mutex.h"
#include "memory/address_map.h"
#include "memory/memory_block.h"
#include "memory/memory_events.h"
#include "memory/memory_resource.h"

namespace workbench {

class TrackingResource final : public MemoryResource {
 public:
  struct Statistics {
    size_t live_byte_size = 0;
    size_t peak_byte_size = 0;
    uint64_t live_count = 0;
    uint64_t allocations = 0;
    uint64_t failures = 0;
  };

  static std::unique_ptr<TrackingResource> Create(MemoryResource& upstream, MemoryEvents& events);

  Result<void*> Allocate(size_t byte_size, size_t alignment = kDefaultAlignment) override EXCLUDES(mutex_);
  void Deallocate(void* bytes, size_t byte_size, size_t alignment = kDefaultAlignment) override
      EXCLUDES(mutex_);
  MemoryPlace place() const override { return upstream_.place(); }

  Statistics statistics() const EXCLUDES(mutex_);
  // Live bytes by owner: the element at a model's number; models beyond the end own nothing.
  std::vector<size_t> LiveByteSizes() const EXCLUDES(mutex_);
  // Fills in who owns the blocks of a pool's map that are live here.
  void FillOwners(std::vector<MemoryBlock>* blocks) const EXCLUDES(mutex_);

 private:
  TrackingResource(MemoryResource& upstream, MemoryEvents& events) : upstream_(upstream), events_(events) {}
  size_t CountAllocation(const void* bytes, size_t byte_size, const MemoryTag& owner) EXCLUDES(mutex_);

  // Constant.
  MemoryResource& upstream_;
  MemoryEvents& events_;

  // Guarded.
  mutable Mutex mutex_;
  AddressMap<MemoryTag> owners_ GUARDED_BY(mutex_);
  std::vector<size_t> live_byte_sizes_ GUARDED_BY(mutex_);  // by owner
  Statistics statistics_ GUARDED_BY(mutex_);
};

}  // namespace workbench
