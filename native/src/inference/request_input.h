// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RequestInput: one input tensor of a request. The bytes are borrowed from the sender until the request is
// released.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/model_signature.h"
#include "memory/memory_resource.h"

namespace workbench {

struct InputBuffer {
  const void* base = nullptr;
  size_t byte_size = 0;
  MemoryPlace place;
};

struct RequestInput {
  const TensorSpec* spec = nullptr;
  DataType type = DataType::kInvalid;
  std::vector<int64_t> original_shape;  // as the sender gave it
  std::vector<int64_t> shape;           // as the backend sees it: reshaped, with the batch dimension
  std::vector<InputBuffer> buffers;
  size_t byte_size = 0;

  void Reset() {
    buffers.clear();
    byte_size = 0;
  }
};

}  // namespace workbench
