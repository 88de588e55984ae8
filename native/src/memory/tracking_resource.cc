// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/tracking_resource.h"

#include <algorithm>

#include "base/out_of_memory.h"
#include "memory/memory_owner.h"

namespace workbench {

std::unique_ptr<TrackingResource> TrackingResource::Create(MemoryResource& upstream, MemoryEvents& events) {
  return std::unique_ptr<TrackingResource>(new TrackingResource(upstream, events));
}

Result<void*> TrackingResource::Allocate(size_t byte_size, size_t alignment) {
  const MemoryTag owner = ScopedMemoryOwner::Current();
  Result<void*> bytes = upstream_.Allocate(byte_size, alignment);
  if (bytes.ok()) {
    const Result<size_t> live_byte_size =
        OrOutOfMemory([&]() -> Result<size_t> { return CountAllocation(*bytes, byte_size, owner); });
    if (live_byte_size.ok()) {
      events_.Allocated(owner, *bytes, byte_size, live_byte_size.value());
      return bytes;
    }
    upstream_.Deallocate(*bytes, byte_size, alignment);
    bytes = live_byte_size.status();
  }
  {
    MutexLock lock(&mutex_);
    ++statistics_.failures;
  }
  events_.AllocationFailed(owner, byte_size, bytes.status().code());
  return bytes;
}

size_t TrackingResource::CountAllocation(const void* bytes, size_t byte_size, const MemoryTag& owner) {
  MutexLock lock(&mutex_);
  if (owner.model >= live_byte_sizes_.size()) live_byte_sizes_.resize(owner.model + 1);
  owners_.Insert(bytes, owner);
  live_byte_sizes_[owner.model] += byte_size;
  statistics_.live_byte_size += byte_size;
  statistics_.peak_byte_size = std::max(statistics_.peak_byte_size, statistics_.live_byte_size);
  ++statistics_.live_count;
  ++statistics_.allocations;
  return statistics_.live_byte_size;
}

void TrackingResource::Deallocate(void* bytes, size_t byte_size, size_t alignment) {
  MemoryTag owner;
  size_t live_byte_size;
  {
    MutexLock lock(&mutex_);
    owner = owners_.Remove(bytes).value_or(MemoryTag());
    live_byte_sizes_[owner.model] -= byte_size;
    statistics_.live_byte_size -= byte_size;
    --statistics_.live_count;
    live_byte_size = statistics_.live_byte_size;
  }
  // Told before the bytes are free, so that whoever gets them next tells it later.
  events_.Freed(owner, bytes, byte_size, live_byte_size);
  upstream_.Deallocate(bytes, byte_size, alignment);
}

TrackingResource::Statistics TrackingResource::statistics() const {
  MutexLock lock(&mutex_);
  return statistics_;
}

std::vector<size_t> TrackingResource::LiveByteSizes() const {
  MutexLock lock(&mutex_);
  return live_byte_sizes_;
}

void TrackingResource::FillOwners(std::vector<MemoryBlock>* blocks) const {
  MutexLock lock(&mutex_);
  for (MemoryBlock& block : *blocks) {
    const MemoryTag* owner = owners_.Find(reinterpret_cast<const void*>(block.address));
    if (owner != nullptr) block.owner = *owner;
  }
}

}  // namespace workbench
