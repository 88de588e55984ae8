// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the extension module share.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "endpoints/shared_memory.h"

namespace workbench {

// Regions as Python holds them; a door keeps them while it is open.
struct PySharedMemory {
  SharedMemory regions;

  pybind11::object Register(const std::string& name, const std::string& key, uint64_t offset,
                            uint64_t byte_size);
  // handle: the bytes of a CUDA IPC handle.
  pybind11::object RegisterCuda(uintptr_t server, const std::string& name, const std::string& handle,
                                int64_t device_id, uint64_t byte_size);
  pybind11::object Unregister(const std::string& name, bool is_cuda);
  pybind11::tuple Part(const std::string& name, uint64_t offset, uint64_t byte_size) const;
  // Name, key, offset and bytes of the machine's, and a refusal or None; name, GPU and bytes of those of
  // GPUs.
  pybind11::tuple SystemRegions(const std::string& name) const;
  pybind11::tuple CudaRegions(const std::string& name) const;
};

// ValueError for an argument, RuntimeError for the rest: the Python side makes its own error of it.
void ThrowIfBad(const Status& status);

void RegisterGrpc(pybind11::module_& module);

}  // namespace workbench
