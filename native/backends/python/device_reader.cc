// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "device_reader.h"

#include <cstring>

namespace workbench::python_backend {

bool DeviceReader::IsOnHost(const Input& input) {
  for (uint32_t index = 0; index < input.buffer_count(); ++index) {
    if (input.buffer(index).memory_type == TRITONSERVER_MEMORY_GPU) return false;
  }
  return true;
}

void DeviceReader::Copy(const Input& input, char* target) {
  if (IsOnHost(input)) return input.CopyTo(target);
  for (uint32_t index = 0; index < input.buffer_count(); ++index) {
    const Buffer piece = input.buffer(index);
    if (piece.memory_type == TRITONSERVER_MEMORY_GPU) {
      Bring(piece, target);
    } else if (piece.byte_size > 0) {
      std::memcpy(target, piece.data, piece.byte_size);
    }
    target += piece.byte_size;
  }
}

void DeviceReader::Bring(const Buffer& piece, char* target) {
  const Gpu& gpu = GpuOf(static_cast<int32_t>(piece.memory_type_id));
  gpu.Do("cuMemcpyAsync", [&](const cuda::Functions& driver) {
    return driver.copy(cuda::AddressOf(target), cuda::AddressOf(piece.data), piece.byte_size, nullptr);
  });
  gpu.Do("cuStreamSynchronize",
         [](const cuda::Functions& driver) { return driver.stream_synchronize(nullptr); });
  byte_size_ += piece.byte_size;
}

const Gpu& DeviceReader::GpuOf(int32_t device_id) {
  std::unique_ptr<Gpu>& gpu = gpus_[device_id];
  if (gpu == nullptr) gpu = std::make_unique<Gpu>(device_id);
  return *gpu;
}

}  // namespace workbench::python_backend
