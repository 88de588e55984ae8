// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/limiting_resource.h"

#include <string>

#include "base/patience.h"

namespace workbench {

std::unique_ptr<LimitingResource> LimitingResource::Create(const Options& options, MemoryResource& upstream) {
  return std::unique_ptr<LimitingResource>(new LimitingResource(options, upstream));
}

Status LimitingResource::Reserve(size_t byte_size) {
  size_t live = live_byte_size_.load(std::memory_order_relaxed);
  do {
    if (byte_size > options_.limit_byte_size - live) {
      const Patience patience;  // for the words
      const std::string name = *options_.name != '\0' ? std::string(options_.name) + " is full: " : "";
      return UnavailableError(name + "cannot allocate " + std::to_string(byte_size) +
                              " bytes: " + std::to_string(live) + " of the limit of " +
                              std::to_string(options_.limit_byte_size) + " are in use");
    }
  } while (!live_byte_size_.compare_exchange_weak(live, live + byte_size, std::memory_order_relaxed));
  return OkStatus();
}

Result<void*> LimitingResource::Allocate(size_t byte_size, size_t alignment) {
  RETURN_IF_ERROR(Reserve(byte_size));
  Result<void*> bytes = upstream_.Allocate(byte_size, alignment);
  if (!bytes.ok()) live_byte_size_.fetch_sub(byte_size, std::memory_order_relaxed);
  return bytes;
}

void LimitingResource::Deallocate(void* bytes, size_t byte_size, size_t alignment) {
  upstream_.Deallocate(bytes, byte_size, alignment);
  live_byte_size_.fetch_sub(byte_size, std::memory_order_relaxed);
}

}  // namespace workbench
