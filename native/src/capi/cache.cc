// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What a cache in a shared object asks of the server.
#include "capi/error.h"
#include "scheduling/cache_entry.h"
#include "triton/core/tritoncache.h"

namespace workbench {
namespace {

CacheEntry& Unwrap(TRITONCACHE_CacheEntry* entry) { return *FromHandle<CacheEntry>(entry); }
CacheAllocator& Unwrap(TRITONCACHE_Allocator* allocator) { return *FromHandle<CacheAllocator>(allocator); }
BufferAttributes* Unwrap(TRITONSERVER_BufferAttributes* attributes) {
  return FromHandle<BufferAttributes>(attributes);
}

Status Required(const void* argument, const char* name) {
  if (argument != nullptr) return OkStatus();
  return InvalidArgumentError(std::string(name) + " must not be null");
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of those classes

extern "C" {

TRITONSERVER_Error* TRITONCACHE_ApiVersion(uint32_t* major, uint32_t* minor) {
  return Guard([&] {
    *major = TRITONCACHE_API_VERSION_MAJOR;
    *minor = TRITONCACHE_API_VERSION_MINOR;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONCACHE_CacheEntryBufferCount(TRITONCACHE_CacheEntry* entry, size_t* count) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(Required(entry, "entry"));
    *count = Unwrap(entry).count();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONCACHE_CacheEntryAddBuffer(TRITONCACHE_CacheEntry* entry, void* base,
                                                    TRITONSERVER_BufferAttributes* buffer_attributes) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(Required(entry, "entry"));
    RETURN_IF_ERROR(Required(base, "base"));
    RETURN_IF_ERROR(Required(buffer_attributes, "buffer_attributes"));
    Unwrap(entry).Add(base, *Unwrap(buffer_attributes));
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONCACHE_CacheEntryGetBuffer(TRITONCACHE_CacheEntry* entry, size_t index, void** base,
                                                    TRITONSERVER_BufferAttributes* buffer_attributes) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(Required(entry, "entry"));
    RETURN_IF_ERROR(Required(buffer_attributes, "buffer_attributes"));
    return Unwrap(entry).Get(index, base, Unwrap(buffer_attributes));
  });
}

TRITONSERVER_Error* TRITONCACHE_CacheEntrySetBuffer(TRITONCACHE_CacheEntry* entry, size_t index,
                                                    void* new_base,
                                                    TRITONSERVER_BufferAttributes* buffer_attributes) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(Required(entry, "entry"));
    return Unwrap(entry).Set(index, new_base, Unwrap(buffer_attributes));
  });
}

TRITONSERVER_Error* TRITONCACHE_Copy(TRITONCACHE_Allocator* allocator, TRITONCACHE_CacheEntry* entry) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(Required(allocator, "allocator"));
    RETURN_IF_ERROR(Required(entry, "entry"));
    return Unwrap(allocator).Copy(Unwrap(entry));
  });
}

}  // extern "C"
