// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceRegionBridge: memory of a GPU that another process shares, as a door sees it. Any thread.
#pragma once

#include <cstddef>

#include "base/result.h"

namespace workbench {

class DeviceRegionBridge {
 public:
  virtual ~DeviceRegionBridge() = default;
  virtual void* base() const = 0;
  // Returns once the bytes are copied; one side lies within the region, the other in host memory.
  virtual Status Copy(void* target, const void* source, size_t byte_size) const = 0;
};

}  // namespace workbench
