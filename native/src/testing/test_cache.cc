// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A response cache for tests, on the plain C interface, for either server: it keeps everything, and nothing
// where its configuration says so ({"keeps": "nothing"}).
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "triton/core/tritoncache.h"

namespace {

using Error = TRITONSERVER_Error;
#define CHECK(call)                                       \
  do {                                                    \
    if (Error* const error = (call); error) return error; \
  } while (false)

struct Cache {
  bool keeps_nothing = false;
  std::mutex mutex;
  std::unordered_map<std::string, std::vector<std::vector<char>>> entries;
};

Cache* Unwrap(TRITONCACHE_Cache* cache) { return reinterpret_cast<Cache*>(cache); }

// The size of a buffer of the entry.
Error* SizeOf(TRITONCACHE_CacheEntry* entry, size_t index, size_t* byte_size) {
  TRITONSERVER_BufferAttributes* attributes = nullptr;
  void* base = nullptr;
  CHECK(TRITONSERVER_BufferAttributesNew(&attributes));
  CHECK(TRITONCACHE_CacheEntryGetBuffer(entry, index, &base, attributes));
  CHECK(TRITONSERVER_BufferAttributesByteSize(attributes, byte_size));
  return TRITONSERVER_BufferAttributesDelete(attributes);
}

Error* Add(TRITONCACHE_CacheEntry* entry, std::vector<char>* bytes) {
  TRITONSERVER_BufferAttributes* attributes = nullptr;
  CHECK(TRITONSERVER_BufferAttributesNew(&attributes));
  CHECK(TRITONSERVER_BufferAttributesSetByteSize(attributes, bytes->size()));
  CHECK(TRITONSERVER_BufferAttributesSetMemoryType(attributes, TRITONSERVER_MEMORY_CPU));
  CHECK(TRITONSERVER_BufferAttributesSetMemoryTypeId(attributes, 0));
  CHECK(TRITONCACHE_CacheEntryAddBuffer(entry, bytes->data(), attributes));
  return TRITONSERVER_BufferAttributesDelete(attributes);
}

}  // namespace

extern "C" {

TRITONSERVER_Error* TRITONCACHE_CacheInitialize(TRITONCACHE_Cache** cache, const char* config) {
  auto* const made = new Cache();
  made->keeps_nothing = std::strstr(config, "nothing") != nullptr;
  *cache = reinterpret_cast<TRITONCACHE_Cache*>(made);
  return nullptr;
}

TRITONSERVER_Error* TRITONCACHE_CacheFinalize(TRITONCACHE_Cache* cache) {
  delete Unwrap(cache);
  return nullptr;
}

TRITONSERVER_Error* TRITONCACHE_CacheInsert(TRITONCACHE_Cache* cache, const char* key,
                                            TRITONCACHE_CacheEntry* entry, TRITONCACHE_Allocator* allocator) {
  std::lock_guard<std::mutex> lock(Unwrap(cache)->mutex);
  if (Unwrap(cache)->keeps_nothing) return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "full");
  if (Unwrap(cache)->entries.count(key) > 0)
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_ALREADY_EXISTS, "there");
  std::vector<std::vector<char>>& buffers = Unwrap(cache)->entries[key];
  size_t count = 0;
  CHECK(TRITONCACHE_CacheEntryBufferCount(entry, &count));
  for (size_t i = 0; i < count; ++i) {
    size_t byte_size = 0;
    CHECK(SizeOf(entry, i, &byte_size));
    buffers.emplace_back(byte_size);
    CHECK(TRITONCACHE_CacheEntrySetBuffer(entry, i, buffers.back().data(), nullptr));
  }
  return TRITONCACHE_Copy(allocator, entry);
}

TRITONSERVER_Error* TRITONCACHE_CacheLookup(TRITONCACHE_Cache* cache, const char* key,
                                            TRITONCACHE_CacheEntry* entry, TRITONCACHE_Allocator* allocator) {
  std::lock_guard<std::mutex> lock(Unwrap(cache)->mutex);
  const auto found = Unwrap(cache)->entries.find(key);
  if (found == Unwrap(cache)->entries.end())
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_NOT_FOUND, "not there");
  for (std::vector<char>& buffer : found->second) CHECK(Add(entry, &buffer));
  return TRITONCACHE_Copy(allocator, entry);
}

}  // extern "C"
