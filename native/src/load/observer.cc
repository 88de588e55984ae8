// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/observer.h"

#include <algorithm>

#include "base/wake_up.h"

namespace workbench {

Observer::Observer(uint64_t every_ns, Pacer& pacer, const Target& target, LoadState& state)
    : every_ns_(every_ns), pacer_(pacer), target_(target), state_(state) {}

void Observer::Run() {
  WakePromptly();
  while (Step()) {
  }
}

bool Observer::Step() {
  const auto pause_ns = static_cast<uint64_t>(static_cast<double>(every_ns_) * (0.5 + random_.NextUnit()));
  const uint64_t wake_ns = pacer_.NowNs() + pause_ns;
  if (state_.has_ended() || !pacer_.WaitUntil(wake_ns)) return false;
  const uint64_t now_ns = pacer_.NowNs();
  const uint64_t late_ns = std::min<uint64_t>(now_ns - wake_ns, UINT32_MAX);
  const auto in_flight = static_cast<uint32_t>(std::min<uint64_t>(target_.InFlight(), UINT32_MAX));
  state_.recorder().Observe(
      {static_cast<int64_t>(now_ns - state_.start_ns()), static_cast<uint32_t>(late_ns), in_flight});
  return true;
}

}  // namespace workbench
