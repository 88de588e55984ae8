// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceBytes: memory of a GPU that an answer holds, as Python passes it on: by address, or in a DLPack
// capsule.
#pragma once

#include <cstddef>
#include <cstdint>

#include "python/module.h"

namespace workbench {

struct DeviceBytes {
  const void* base = nullptr;
  size_t byte_size = 0;
  int64_t device = 0;
  py::object owner;  // keeps the memory
};

void RegisterDeviceBytes(py::module_& module);

}  // namespace workbench
