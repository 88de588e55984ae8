// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/request_plan.h"

#include <algorithm>
#include <string>

namespace workbench {

Result<RequestPlan> RequestPlan::Create(std::vector<PlannedRequest> steps, uint64_t sample_count) {
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

}  // namespace workbench
