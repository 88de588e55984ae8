// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryPools: a server's memory by where it lies. Any thread may call it.
#pragma once

#include "memory/memory_resource.h"

namespace workbench {

class MemoryPools {
 public:
  virtual ~MemoryPools() = default;
  // What gives bytes of that place and of no other. UNSUPPORTED where the machine has no such memory.
  virtual Result<MemoryResource*> PoolAt(MemoryPlace place) = 0;
};

}  // namespace workbench
