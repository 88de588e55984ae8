// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/library_cache.h"

#include <utility>

#include "base/error_object.h"
#include "scheduling/cache_entry.h"
#include "scheduling/packed_response.h"

namespace workbench {
namespace {

std::string KeyText(const CacheKey& key) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint64_t half : {key.high, key.low}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(half >> shift) & 15];
  }
  return text;
}

template <typename Function, typename... Arguments>
Status Call(Function* function, Arguments... arguments) {
  TRITONSERVER_Error* const error = function(arguments...);
  return error == nullptr ? OkStatus() : TakeError(error);
}

}  // namespace

#define WB_FIND(name) library_.Find<decltype(name)>(#name)

LibraryCache::LibraryCache(SharedLibrary library)
    : library_(std::move(library)),
      initialize_(WB_FIND(TRITONCACHE_CacheInitialize)),
      finalize_(WB_FIND(TRITONCACHE_CacheFinalize)),
      lookup_(WB_FIND(TRITONCACHE_CacheLookup)),
      insert_(WB_FIND(TRITONCACHE_CacheInsert)) {}

#undef WB_FIND

Result<std::unique_ptr<LibraryCache>> LibraryCache::Create(const std::string& path,
                                                           const std::string& config_json) {
  ASSIGN_OR_RETURN(SharedLibrary library, SharedLibrary::Open(path));
  std::unique_ptr<LibraryCache> cache(new LibraryCache(std::move(library)));
  RETURN_IF_ERROR(cache->CheckEntryPoints());
  RETURN_IF_ERROR(Call(cache->initialize_, &cache->cache_, config_json.c_str()));
  return cache;
}

Status LibraryCache::CheckEntryPoints() const {
  const bool is_complete =
      initialize_ != nullptr && finalize_ != nullptr && lookup_ != nullptr && insert_ != nullptr;
  if (is_complete) return OkStatus();
  return InvalidArgumentError(
      library_.path() +
      " is no cache: it exports not all of TRITONCACHE_CacheInitialize, CacheFinalize, "
      "CacheLookup and CacheInsert");
}

LibraryCache::~LibraryCache() {
  // A failing Finalize has nobody left to tell.
  if (cache_ != nullptr) (void)Call(finalize_, cache_);
}

LibraryCache::Entry LibraryCache::Lookup(const CacheKey& key) {
  lookups_.fetch_add(1, std::memory_order_relaxed);
  CacheEntry entry;
  CacheRetrieval retrieval;
  CacheAllocator* const allocator = &retrieval;
  const Status status = Call(lookup_, cache_, KeyText(key).c_str(), ToHandle<TRITONCACHE_CacheEntry>(&entry),
                             ToHandle<TRITONCACHE_Allocator>(allocator));
  if (!status.ok()) return nullptr;
  Result<CachedResponse> response = Unpack(retrieval.bytes());
  if (!response.ok()) return nullptr;
  hits_.fetch_add(1, std::memory_order_relaxed);
  return std::make_shared<const CachedResponse>(std::move(response).value());
}

void LibraryCache::Insert(const CacheKey& key, uint64_t owner, Entry response) {
  std::vector<char> bytes = Pack(*response);
  CacheEntry entry;
  entry.Add(bytes.data(), {{}, bytes.size(), nullptr});
  CacheInsertion insertion(bytes);
  CacheAllocator* const allocator = &insertion;
  const Status status = Call(insert_, cache_, KeyText(key).c_str(), ToHandle<TRITONCACHE_CacheEntry>(&entry),
                             ToHandle<TRITONCACHE_Allocator>(allocator));
  // Somebody else may have inserted it meanwhile; a cache that is full is asked again next time.
  if (status.ok()) insertions_.fetch_add(1, std::memory_order_relaxed);
}

CacheFigures LibraryCache::counts() const {
  CacheFigures counts;
  counts.lookups = lookups_.load(std::memory_order_relaxed);
  counts.hits = hits_.load(std::memory_order_relaxed);
  counts.insertions = insertions_.load(std::memory_order_relaxed);
  return counts;
}

}  // namespace workbench
