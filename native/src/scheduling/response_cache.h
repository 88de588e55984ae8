// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ResponseCache: responses that were given before, by what was asked. Shared by the models of an engine. Any
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inference/data_type.h"
#include "inference/parameter.h"

namespace workbench {

// What was asked, in 128 bits: nobody can be expected to meet two requests with one key.
struct CacheKey {
  uint64_t low = 0;
  uint64_t high = 0;

  bool operator==(const CacheKey& other) const { return low == other.low && high == other.high; }
};

// A response without its request. Immutable once it is in a cache.
struct CachedResponse {
  struct Output {
    std::string name;
    DataType type = DataType::kInvalid;
    std::vector<int64_t> shape;  // as clients see it
    std::vector<char> bytes;
  };

  std::vector<Output> outputs;
  std::vector<Parameter> parameters;

  // With what a cache needs around them, roughly.
  size_t byte_size() const;
};

struct CacheFigures {
  uint64_t lookups = 0;
  uint64_t hits = 0;
  uint64_t insertions = 0;
  uint64_t evictions = 0;
  uint64_t entries = 0;
  uint64_t byte_size = 0;
  uint64_t limit_byte_size = 0;
};

class ResponseCache {
 public:
  // Shared by the cache and by those who are copying from it.
  using Entry = std::shared_ptr<const CachedResponse>;

  virtual ~ResponseCache() = default;
  // Null where there is none.
  virtual Entry Lookup(const CacheKey& key) = 0;
  // owner: the loaded model that answered. What is too large to be kept is not.
  virtual void Insert(const CacheKey& key, uint64_t owner, Entry response) = 0;
  // Forgets what a model answered.
  virtual void Flush(uint64_t owner) = 0;
  virtual CacheFigures counts() const = 0;
};

}  // namespace workbench
