// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// TargetHandover: a target on its way, in a capsule of Python's, from the module that made it to the run that
// will own it. One owner at a time; guarded by the GIL.
#pragma once

#include <memory>

#include "load/target.h"

namespace workbench {

struct TargetHandover {
  std::shared_ptr<const void> kept;  // what must outlive the target: goes last
  std::unique_ptr<Target> target;    // null: a run has it
  std::shared_ptr<const void>
      borrowed;  // what requests borrow until the last is answered; shared with the run
};

// The capsule's name, by which the other module knows it.
inline constexpr char kTargetCapsule[] = "workbench.target";

}  // namespace workbench
