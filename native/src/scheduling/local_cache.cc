// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/local_cache.h"

#include <iterator>
#include <utility>

namespace workbench {
namespace {

// Of list, table and the response's own parts, roughly.
constexpr size_t kRecordByteSize = 160;
constexpr size_t kOutputByteSize = 96;

}  // namespace

size_t CachedResponse::byte_size() const {
  size_t sum = kRecordByteSize;
  for (const Output& output : outputs) {
    sum += kOutputByteSize + output.name.size() + output.shape.size() * sizeof(int64_t) + output.bytes.size();
  }
  for (const Parameter& parameter : parameters) {
    sum += sizeof(Parameter) + parameter.name.size() + parameter.text.size();
  }
  return sum;
}

LocalCache::Entry LocalCache::Lookup(const CacheKey& key) {
  MutexLock lock(&mutex_);
  ++counts_.lookups;
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  ++counts_.hits;
  records_.splice(records_.begin(), records_, found->second);
  return found->second->response;
}

void LocalCache::Insert(const CacheKey& key, uint64_t owner, Entry response) {
  const size_t byte_size = response->byte_size();
  if (byte_size > limit_byte_size_) return;
  MutexLock lock(&mutex_);
  const auto found = index_.find(key);
  if (found != index_.end()) Remove(found->second);
  while (counts_.byte_size + byte_size > limit_byte_size_) {
    Remove(std::prev(records_.end()));
    ++counts_.evictions;
  }
  records_.push_front({key, owner, std::move(response), byte_size});
  index_[key] = records_.begin();
  counts_.byte_size += byte_size;
  ++counts_.insertions;
}

void LocalCache::Remove(Records::iterator record) {
  counts_.byte_size -= record->byte_size;
  index_.erase(record->key);
  records_.erase(record);
}

void LocalCache::Flush(uint64_t owner) {
  MutexLock lock(&mutex_);
  for (auto record = records_.begin(); record != records_.end();) {
    const auto next = std::next(record);
    if (record->owner == owner) Remove(record);
    record = next;
  }
}

CacheFigures LocalCache::counts() const {
  MutexLock lock(&mutex_);
  CacheFigures counts = counts_;
  counts.entries = records_.size();
  counts.limit_byte_size = limit_byte_size_;
  return counts;
}

}  // namespace workbench
