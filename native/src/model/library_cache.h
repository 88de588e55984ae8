// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// LibraryCache: a response cache in a shared object, behind the TRITONCACHE interface. Owned by the engine;
// any thread, as the interface asks of caches.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/shared_library.h"
#include "scheduling/response_cache.h"
#include "triton/core/tritoncache.h"

namespace workbench {

class LibraryCache final : public ResponseCache {
 public:
  // Opens the object and runs TRITONCACHE_CacheInitialize. INVALID_ARGUMENT where the object lacks an entry
  // point.
  static Result<std::unique_ptr<LibraryCache>> Create(const std::string& path,
                                                      const std::string& config_json);
  ~LibraryCache() override;

  Entry Lookup(const CacheKey& key) override;
  void Insert(const CacheKey& key, uint64_t owner, Entry response) override;
  // The interface forgets nothing; keys of what is gone are never asked for again.
  void Flush(uint64_t owner) override {}
  CacheFigures counts() const override;

 private:
  explicit LibraryCache(SharedLibrary library);
  Status CheckEntryPoints() const;

  const SharedLibrary library_;
  decltype(&TRITONCACHE_CacheInitialize) const initialize_;
  decltype(&TRITONCACHE_CacheFinalize) const finalize_;
  decltype(&TRITONCACHE_CacheLookup) const lookup_;
  decltype(&TRITONCACHE_CacheInsert) const insert_;
  TRITONCACHE_Cache* cache_ = nullptr;
  std::atomic<uint64_t> lookups_{0};
  std::atomic<uint64_t> hits_{0};
  std::atomic<uint64_t> insertions_{0};
};

}  // namespace workbench
