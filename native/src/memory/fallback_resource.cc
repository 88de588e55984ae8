// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/fallback_resource.h"

#include "base/out_of_memory.h"
#include "base/patience.h"
#include "memory/memory_owner.h"

namespace workbench {

std::unique_ptr<FallbackResource> FallbackResource::Create(MemoryResource& first, MemoryResource& second,
                                                           MemoryEvents& events) {
  return std::unique_ptr<FallbackResource>(new FallbackResource(first, second, events));
}

Result<void*> FallbackResource::Allocate(size_t byte_size, size_t alignment) {
  Result<void*> bytes = first_.Allocate(byte_size, alignment);
  const StatusCode code = bytes.status().code();
  if (code != StatusCode::kUnavailable && code != StatusCode::kUnsupported) return bytes;
  return AllocateElsewhere(bytes.status(), byte_size, alignment);
}

Result<void*> FallbackResource::AllocateElsewhere(const Status& reason, size_t byte_size, size_t alignment) {
  Result<void*> bytes = second_.Allocate(byte_size, alignment);
  if (!bytes.ok()) {
    const Patience patience;  // for the words
    return Status(bytes.status().code(),
                  reason.message() + "; and the fallback: " + bytes.status().message());
  }
  const Status noted = OrOutOfMemory([&] {
    MutexLock lock(&mutex_);
    elsewhere_.Insert(*bytes, {});
    elsewhere_count_.fetch_add(1, std::memory_order_relaxed);
    return OkStatus();
  });
  if (!noted.ok()) {
    second_.Deallocate(*bytes, byte_size, alignment);
    return noted;
  }
  fallbacks_.fetch_add(1, std::memory_order_relaxed);
  events_.FellBack(ScopedMemoryOwner::Current(), *bytes, byte_size, reason);
  return bytes;
}

void FallbackResource::Deallocate(void* bytes, size_t byte_size, size_t alignment) {
  (Forget(bytes) ? second_ : first_).Deallocate(bytes, byte_size, alignment);
}

bool FallbackResource::Forget(const void* bytes) {
  // A count of 0 proves that these bytes are not elsewhere: they would be counted until they are forgotten
  // here.
  if (elsewhere_count_.load(std::memory_order_relaxed) == 0) return false;
  MutexLock lock(&mutex_);
  if (!elsewhere_.Remove(bytes)) return false;
  elsewhere_count_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

MemoryPlace FallbackResource::PlaceOf(const void* bytes) const {
  bool is_elsewhere;
  {
    MutexLock lock(&mutex_);
    is_elsewhere = elsewhere_.Find(bytes) != nullptr;
  }
  return (is_elsewhere ? second_ : first_).PlaceOf(bytes);
}

}  // namespace workbench
