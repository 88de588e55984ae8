// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands in for the core while codecs are fuzzed: requests that read every byte they are handed, so that
// a sanitizer sees what lies beyond its buffer, and responses that a target fills.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "endpoints/inference.h"
#include "triton/core/tritonserver.h"

struct TRITONSERVER_InferenceRequest {
  std::unordered_map<std::string, uint64_t> inputs;  // sums of their bytes, by name
  uint32_t flags = 0;
};

struct TRITONSERVER_InferenceResponse {
  struct Output {
    std::string name;
    TRITONSERVER_DataType type;
    std::vector<int64_t> shape;
    std::vector<char> bytes;
  };
  std::vector<Output> outputs;
};

namespace workbench {

// The sum of the bytes.
uint64_t ReadAll(const void* base, size_t byte_size);

// With one output out of what is fuzzed: its type, a byte for the target, the number of dims, what they are,
// another byte for the target, and the output's bytes. REQUIRES: five bytes at least.
ResponsePtr ResponseOf(const uint8_t* data, size_t size);

}  // namespace workbench
