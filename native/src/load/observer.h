// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Observer: looks at the target about every millisecond, from a thread of its own. It tells two things that
// the records of a run cannot: how many requests the served side held (for Little's law), and when this
// machine stood still (the observer only sleeps, so if it wakes late, so did everyone).
#pragma once

#include <cstdint>

#include "base/random.h"
#include "load/load_state.h"
#include "load/target.h"

namespace workbench {

class Observer {
 public:
  Observer(uint64_t every_ns, Pacer& pacer, const Target& target, LoadState& state);

  // Until the run has ended or the pacer is stopped.
  void Run();
  // One sleep and one look; false when there is nothing more to see.
  bool Step();

 private:
  const uint64_t every_ns_;
  Pacer& pacer_;
  const Target& target_;
  LoadState& state_;
  // Exponential pauses would leave long gaps, equal ones could keep step with the load: uniform in 0.5
  // to 1.5.
  Random random_{1};
};

}  // namespace workbench
