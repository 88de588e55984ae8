// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RequestPool: simulated requests, used again and again; it grows to the most that were under way at once.
// One owner, one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/simulated_model.h"

namespace workbench {

class RequestPool {
 public:
  SimulatedRequest* Take() {
    if (free_ == nullptr) Grow();
    SimulatedRequest* const request = free_;
    free_ = static_cast<SimulatedRequest*>(request->next);
    return request;
  }
  void GiveBack(SimulatedRequest* request) {
    request->next = free_;
    free_ = request;
  }

 private:
  static constexpr size_t kSlab = 256;

  void Grow() {
    slabs_.push_back(std::make_unique<SimulatedRequest[]>(kSlab));
    for (size_t i = kSlab; i-- > 0;) GiveBack(&slabs_.back()[i]);
  }

  std::vector<std::unique_ptr<SimulatedRequest[]>> slabs_;
  SimulatedRequest* free_ = nullptr;
};

}  // namespace workbench
