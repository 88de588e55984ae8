// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryResource: where bytes come from. Policies (pool, limit, tracking) are resources around another
// resource. Any thread may call it. A resource outlives every allocation made from it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace workbench {

enum class MemoryType : uint8_t { kCpu = 0, kCpuPinned = 1, kGpu = 2 };  // values of TRITONSERVER_MemoryType

// Where a buffer lies.
struct MemoryPlace {
  MemoryType type = MemoryType::kCpu;
  int64_t id = 0;
};

constexpr size_t kDefaultAlignment = 64;

class MemoryResource {
 public:
  virtual ~MemoryResource() = default;
  // UNAVAILABLE: not now, try later or elsewhere, also where there is no memory for its own books; it throws
  // nothing. UNSUPPORTED: never on this machine. byte_size 0 is legal.
  virtual Result<void*> Allocate(size_t byte_size, size_t alignment = kDefaultAlignment) = 0;
  // Needs no memory. REQUIRES: the arguments of the allocation.
  virtual void Deallocate(void* bytes, size_t byte_size, size_t alignment = kDefaultAlignment) = 0;
  virtual MemoryPlace place() const = 0;
  // Of bytes that it gave, where not all lie at one place.
  virtual MemoryPlace PlaceOf(const void* bytes) const { return place(); }
};

}  // namespace workbench
