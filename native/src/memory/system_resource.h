// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SystemResource: bytes of the machine's own memory, straight from the C library. Any thread may call it.
#pragma once

#include <memory>

#include "memory/memory_resource.h"

namespace workbench {

class SystemResource final : public MemoryResource {
 public:
  static std::unique_ptr<SystemResource> Create() { return std::make_unique<SystemResource>(); }

  Result<void*> Allocate(size_t byte_size, size_t alignment = kDefaultAlignment) override;
  void Deallocate(void* bytes, size_t byte_size, size_t alignment = kDefaultAlignment) override;
  MemoryPlace place() const override { return {MemoryType::kCpu, 0}; }
};

}  // namespace workbench
