// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BufferAttributes: how large a buffer is and where it lies.
#pragma once

#include <cstddef>

#include "memory/memory_resource.h"

namespace workbench {

struct BufferAttributes {
  MemoryPlace place;
  size_t byte_size = 0;
  void* cuda_ipc_handle = nullptr;  // borrowed; null where the buffer is not shared with another process
};

}  // namespace workbench
