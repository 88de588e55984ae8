// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// LocalCache: responses in this process's memory up to so many bytes; the one that was not asked for the
// longest goes first.
#pragma once

#include <list>
#include <unordered_map>

#include "base/mutex.h"
#include "scheduling/response_cache.h"

namespace workbench {

class LocalCache final : public ResponseCache {
 public:
  explicit LocalCache(uint64_t limit_byte_size) : limit_byte_size_(limit_byte_size) {}

  Entry Lookup(const CacheKey& key) override;
  void Insert(const CacheKey& key, uint64_t owner, Entry response) override;
  void Flush(uint64_t owner) override;
  CacheFigures counts() const override;

 private:
  struct Record {
    CacheKey key;
    uint64_t owner;
    Entry response;
    size_t byte_size;
  };
  struct Hash {
    size_t operator()(const CacheKey& key) const { return key.low; }
  };
  using Records = std::list<Record>;

  void Remove(Records::iterator record) REQUIRES(mutex_);

  const uint64_t limit_byte_size_;

  mutable Mutex mutex_;
  Records records_ GUARDED_BY(mutex_);  // the latest first
  std::unordered_map<CacheKey, Records::iterator, Hash> index_ GUARDED_BY(mutex_);
  CacheFigures counts_ GUARDED_BY(mutex_);
};

}  // namespace workbench
