// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InferPlan: what a client wants of an inference beside its inputs, and what must stay until it is answered.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "endpoints/shared_memory.h"

namespace workbench {

// How an output is to be told.
struct OutputWish {
  std::string name;
  bool is_binary = false;
  uint32_t class_count = 0;  // 0: as it is
  std::string region;        // of shared memory; empty: within the reply
  SharedMemoryRegion::Part place;
};

struct InferPlan {
  std::vector<OutputWish> outputs;  // empty: all, as is_binary says
  bool is_binary = false;
  std::deque<std::string> converted;             // inputs that were not bytes; borrowed by the request
  std::vector<SharedMemoryRegion::Ref> regions;  // in use by inputs and outputs

  const OutputWish* Find(std::string_view name) const {
    for (const OutputWish& wish : outputs) {
      if (wish.name == name) return &wish;
    }
    return nullptr;
  }
  // Part of a region that was registered, which stays with the plan. NOT_FOUND, INVALID_ARGUMENT.
  Result<SharedMemoryRegion::Part> Use(const SharedMemory& memory, const std::string& region_name,
                                       uint64_t offset, uint64_t byte_size) {
    ASSIGN_OR_RETURN(SharedMemoryRegion::Ref region, memory.Find(region_name));
    ASSIGN_OR_RETURN(const SharedMemoryRegion::Part part, region->PartAt(offset, byte_size));
    regions.push_back(std::move(region));
    return part;
  }
};

}  // namespace workbench
