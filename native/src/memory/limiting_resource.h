// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// LimitingResource: passes allocations on until a number of bytes is out. Any thread may call it.
#pragma once

#include <atomic>
#include <memory>

#include "memory/memory_resource.h"

namespace workbench {

class LimitingResource final : public MemoryResource {
 public:
  struct Options {
    size_t limit_byte_size = SIZE_MAX;
    const char* name = "";  // of what is limited, in messages; outlives the resource
  };
  static std::unique_ptr<LimitingResource> Create(const Options& options, MemoryResource& upstream);

  // UNAVAILABLE, with the figures, where the limit would be passed.
  Result<void*> Allocate(size_t byte_size, size_t alignment = kDefaultAlignment) override;
  void Deallocate(void* bytes, size_t byte_size, size_t alignment = kDefaultAlignment) override;
  MemoryPlace place() const override { return upstream_.place(); }

  size_t limit_byte_size() const { return options_.limit_byte_size; }
  size_t live_byte_size() const { return live_byte_size_.load(std::memory_order_relaxed); }

 private:
  LimitingResource(const Options& options, MemoryResource& upstream)
      : options_(options), upstream_(upstream) {}
  Status Reserve(size_t byte_size);

  const Options options_;
  MemoryResource& upstream_;
  std::atomic<size_t> live_byte_size_{0};
};

}  // namespace workbench
