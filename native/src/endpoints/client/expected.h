// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected: a request that was sent and whose answer is to come. Ended: one whose answer came, or will not.
#pragma once

#include <memory>

#include "load/target.h"

namespace workbench {

struct Expected {
  uint64_t index = 0;
  std::shared_ptr<Completions> completions;  // shared with the run, as Target says
};

struct Ended {
  Expected expected;
  StatusCode status = StatusCode::kOk;
};

}  // namespace workbench
