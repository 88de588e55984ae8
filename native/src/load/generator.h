// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Generator: sends a run's requests to a target, open or closed loop. The two functions are the body of a
// sender thread; StartLoad (load_run.h) gives each its thread.
#pragma once

#include <memory>

#include "load/load_run.h"
#include "load/load_state.h"

namespace workbench {

// Each request at its own time, whatever has been answered. Several senders share one schedule: whoever is
// free takes the next request, so a sender that is held up delays one.
void SendOpenLoop(const LoadOptions& options, const std::shared_ptr<LoadState>& state, Target& target);

// The next request as soon as fewer than options.concurrency are in flight.
void SendClosedLoop(const LoadOptions& options, const std::shared_ptr<LoadState>& state, Target& target);

}  // namespace workbench
