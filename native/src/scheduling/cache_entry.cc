// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/cache_entry.h"

#include <cstring>
#include <string>

namespace workbench {
namespace {

Status CheckPlace(const BufferAttributes& attributes) {
  if (attributes.place.type != MemoryType::kGpu) return OkStatus();
  return UnsupportedError("a cache's buffers lie in the processor's memory here");
}

}  // namespace

Status CacheEntry::Check(size_t index) const {
  if (index < buffers_.size()) return OkStatus();
  return InvalidArgumentError("buffer " + std::to_string(index) + " was asked of a cache entry that has " +
                              std::to_string(buffers_.size()));
}

Status CacheEntry::Get(size_t index, void** base, BufferAttributes* attributes) const {
  RETURN_IF_ERROR(Check(index));
  *base = buffers_[index].base;
  *attributes = buffers_[index].attributes;
  return OkStatus();
}

Status CacheEntry::Set(size_t index, void* base, const BufferAttributes* attributes) {
  RETURN_IF_ERROR(Check(index));
  buffers_[index].base = base;
  if (attributes != nullptr) buffers_[index].attributes = *attributes;
  return OkStatus();
}

Status CacheInsertion::Copy(const CacheEntry& entry) {
  size_t offset = 0;
  for (size_t i = 0; i < entry.count(); ++i) {
    void* base = nullptr;
    BufferAttributes attributes;
    RETURN_IF_ERROR(entry.Get(i, &base, &attributes));
    RETURN_IF_ERROR(CheckPlace(attributes));
    if (offset + attributes.byte_size > bytes_.size()) {
      return InvalidArgumentError("the cache's buffers hold more than the response's " +
                                  std::to_string(bytes_.size()) + " bytes");
    }
    std::memcpy(base, bytes_.data() + offset, attributes.byte_size);
    offset += attributes.byte_size;
  }
  return OkStatus();
}

Status CacheRetrieval::Copy(const CacheEntry& entry) {
  for (size_t i = 0; i < entry.count(); ++i) {
    void* base = nullptr;
    BufferAttributes attributes;
    RETURN_IF_ERROR(entry.Get(i, &base, &attributes));
    RETURN_IF_ERROR(CheckPlace(attributes));
    const char* const start = static_cast<const char*>(base);
    bytes_.insert(bytes_.end(), start, start + attributes.byte_size);
  }
  return OkStatus();
}

}  // namespace workbench
