// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// FallbackResource: asks a second resource for what the first does not have. Any thread may call it.
#pragma once

#include <atomic>
#include <memory>

#include "base/mutex.h"
#include "memory/address_map.h"
#include "memory/memory_events.h"
#include "memory/memory_resource.h"

namespace workbench {

class FallbackResource final : public MemoryResource {
 public:
  // The events are those of the first resource's pool.
  static std::unique_ptr<FallbackResource> Create(MemoryResource& first, MemoryResource& second,
                                                  MemoryEvents& events);

  // The second is asked if the first answers UNAVAILABLE or UNSUPPORTED; where both fail, both reasons are
  // given.
  Result<void*> Allocate(size_t byte_size, size_t alignment = kDefaultAlignment) override EXCLUDES(mutex_);
  void Deallocate(void* bytes, size_t byte_size, size_t alignment = kDefaultAlignment) override
      EXCLUDES(mutex_);
  // Where bytes lie if all goes well; PlaceOf knows it of those at hand.
  MemoryPlace place() const override { return first_.place(); }
  MemoryPlace PlaceOf(const void* bytes) const override EXCLUDES(mutex_);

  // How often the second resource served.
  uint64_t fallbacks() const { return fallbacks_.load(std::memory_order_relaxed); }

 private:
  struct Nothing {};

  FallbackResource(MemoryResource& first, MemoryResource& second, MemoryEvents& events)
      : first_(first), second_(second), events_(events) {}
  Result<void*> AllocateElsewhere(const Status& reason, size_t byte_size, size_t alignment) EXCLUDES(mutex_);
  bool Forget(const void* bytes) EXCLUDES(mutex_);

  // Constant.
  MemoryResource& first_;
  MemoryResource& second_;
  MemoryEvents& events_;

  // Self-synchronised.
  std::atomic<uint64_t> fallbacks_{0};
  std::atomic<size_t> elsewhere_count_{0};  // live in the second; while 0, no lock is taken

  // Guarded.
  mutable Mutex mutex_;
  AddressMap<Nothing> elsewhere_ GUARDED_BY(mutex_);  // what the second has given
};

}  // namespace workbench
