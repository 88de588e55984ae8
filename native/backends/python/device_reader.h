// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceReader: inputs as bytes of the host, wherever they lie. A GPU's driver is opened when the first input
// lies there. Owned by an executor; used by its instance's thread.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "workbench/backend.hpp"
#include "workbench/backend/gpu.hpp"

namespace workbench::python_backend {

class DeviceReader {
 public:
  // Whether the processor can read all pieces of it.
  static bool IsOnHost(const Input& input);

  // Copies all of it to `target`. Throws an Error where a GPU can not be read.
  void Copy(const Input& input, char* target);
  // Bytes that came from GPUs since the last call.
  uint64_t TakeByteSize() { return std::exchange(byte_size_, 0); }

 private:
  void Bring(const Buffer& piece, char* target);
  const Gpu& GpuOf(int32_t device_id);

  std::map<int32_t, std::unique_ptr<Gpu>> gpus_;
  uint64_t byte_size_ = 0;
};

}  // namespace workbench::python_backend
