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
#include "memory/buffer_attributes.h"

namespace workbench {

struct InputBuffer : BufferAttributes {
  InputBuffer() = default;
  InputBuffer(const void* start, const BufferAttributes& attributes)
      : BufferAttributes(attributes), base(start) {}

  const void* base = nullptr;
};

// A copy of an input's bytes for instances of one host policy.
struct HostPolicyBuffers {
  std::string policy;
  std::vector<InputBuffer> buffers;
  size_t byte_size = 0;
};

struct RequestInput {
  const TensorSpec* spec = nullptr;
  DataType type = DataType::kInvalid;
  std::vector<int64_t> original_shape;  // as the sender gave it
  std::vector<int64_t> shape;           // as the backend sees it: reshaped, with the batch dimension
  std::vector<InputBuffer> buffers;
  size_t byte_size = 0;
  std::vector<HostPolicyBuffers> for_policies;  // rarely any

  void Reset() {
    buffers.clear();
    byte_size = 0;
    for_policies.clear();
  }
  // The bytes meant for that host policy, or null: everyone's.
  const HostPolicyBuffers* FindPolicy(const char* policy) const {
    for (const HostPolicyBuffers& candidate : for_policies) {
      if (candidate.policy == policy) return &candidate;
    }
    return nullptr;
  }
};

}  // namespace workbench
