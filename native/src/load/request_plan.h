// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RequestPlan: what is sent with each number of a run. Pure: drawn as a whole before the run, read by any
// thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace workbench {

// One request of a plan. Laid out as numpy reads it (workbench/load/plan.py).
struct PlannedRequest {
  uint64_t sequence = 0;  // correlation id; 0: of no sequence
  uint32_t sample = 0;    // which of the target's samples is sent
  uint32_t flags = 0;     // kSequenceStart, kSequenceEnd
};
static_assert(sizeof(PlannedRequest) == 16);

inline constexpr uint32_t kSequenceStart = 1;
inline constexpr uint32_t kSequenceEnd = 2;

class RequestPlan {
 public:
  // Without steps: always sample 0, no sequences.
  RequestPlan() = default;
  // INVALID_ARG where a step names a sample that is not among sample_count.
  static Result<RequestPlan> Create(std::vector<PlannedRequest> steps, uint64_t sample_count) {
    uint64_t first_id = UINT64_MAX;
    uint64_t last_id = 0;
    for (const PlannedRequest& step : steps) {
      if (step.sample >= sample_count) {
        return InvalidArgumentError("the plan sends sample " + std::to_string(step.sample) + " of " +
                                    std::to_string(sample_count));
      }
      if (step.sequence == 0) continue;
      first_id = std::min(first_id, step.sequence);
      last_id = std::max(last_id, step.sequence);
    }
    return RequestPlan(std::move(steps), last_id == 0 ? 0 : last_id - first_id + 1);
  }

  // Request number index. A run that outlasts the plan goes round; the sequences of each round have ids of
  // their own.
  PlannedRequest At(uint64_t index) const {
    if (steps_.empty()) return {};
    PlannedRequest request = steps_[index % steps_.size()];
    if (request.sequence != 0) request.sequence += index / steps_.size() * ids_a_round_;
    return request;
  }

 private:
  RequestPlan(std::vector<PlannedRequest> steps, uint64_t ids_a_round)
      : steps_(std::move(steps)), ids_a_round_(ids_a_round) {}

  std::vector<PlannedRequest> steps_;
  uint64_t ids_a_round_ = 0;
};

}  // namespace workbench
