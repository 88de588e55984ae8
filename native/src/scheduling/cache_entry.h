// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CacheEntry, CacheAllocator: a cached response on its way into a cache of another library or out of it, as
// the C interface shows it to that library (TRITONCACHE_CacheEntry, TRITONCACHE_Allocator). Each lives for
// one call of the library, on one thread.
#pragma once

#include <vector>

#include "base/result.h"
#include "memory/buffer_attributes.h"

namespace workbench {

class CacheEntry {
 public:
  size_t count() const { return buffers_.size(); }
  void Add(void* base, const BufferAttributes& attributes) { buffers_.push_back({base, attributes}); }
  // INVALID_ARGUMENT beyond the last.
  Status Get(size_t index, void** base, BufferAttributes* attributes) const;
  // attributes: null keeps those that there are.
  Status Set(size_t index, void* base, const BufferAttributes* attributes);

 private:
  struct Buffer {
    void* base;
    BufferAttributes attributes;
  };
  Status Check(size_t index) const;

  std::vector<Buffer> buffers_;
};

// Moves the bytes: into memory of the library, or out of it.
class CacheAllocator {
 public:
  virtual ~CacheAllocator() = default;
  virtual Status Copy(const CacheEntry& entry) = 0;
};

// From so many bytes into the buffers that the library put into the entry.
class CacheInsertion final : public CacheAllocator {
 public:
  explicit CacheInsertion(const std::vector<char>& bytes) : bytes_(bytes) {}
  Status Copy(const CacheEntry& entry) override;

 private:
  const std::vector<char>& bytes_;
};

// From the buffers that the library put into the entry, one after the other.
class CacheRetrieval final : public CacheAllocator {
 public:
  Status Copy(const CacheEntry& entry) override;
  const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

}  // namespace workbench
