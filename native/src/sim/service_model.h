// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ServiceModel: how long an instance takes, as a calibration found it. A value.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "sim/pause_cost.h"

namespace workbench {

struct ServiceModel {
  // Of a batch of 1, 2, ... rows, alone on the machine; the last holds for larger ones.
  std::vector<uint64_t> service_ns;
  // Speed of one instance while 1, 2, ... of them are active; the last holds for more. Empty: they do not
  // disturb each other.
  std::vector<double> speeds;
  // Equally likely factors of the service time; empty: it does not vary.
  std::vector<double> spread;
  uint64_t overhead_ns = 0;    // of a request, besides queue and service
  uint64_t turnaround_ns = 0;  // of an instance, between its answer and its next batch
  uint64_t wake_ns = 0;        // until an idle instance takes what is ready for it
  uint64_t timer_late_ns = 0;  // how much later than asked for a queue is looked at again
  // What an execution takes more after its instance was idle, by how long it was.
  std::vector<PausePoint> after_pause;
};

// Longest pause and dearest execution after one that can be told of.
constexpr uint64_t kLongestPauseNs = 2'000'000'000;

inline Status Check(const ServiceModel& model) {
  if (model.service_ns.empty())
    return InvalidArgumentError("a simulation needs a service time for batches of 1");
  for (uint64_t time_ns : model.service_ns) {
    if (time_ns == 0) return InvalidArgumentError("a service time must be at least 1 ns");
  }
  for (double speed : model.speeds) {
    // Work is counted in 1/4096 of a nanosecond: what is slower would never end.
    if (!(speed >= 1.0 / 4096 && speed <= 64)) {
      return InvalidArgumentError("the speed of an instance among others lies between 1/4096 and 64");
    }
  }
  for (double factor : model.spread) {
    if (!(factor > 0 && factor <= 1e6))
      return InvalidArgumentError("a factor of the service time must be positive");
  }
  uint64_t least_ns = 0;
  for (const auto& [pause_ns, extra_ns] : model.after_pause) {
    if (pause_ns < least_ns || pause_ns > kLongestPauseNs || extra_ns > kLongestPauseNs)
      return InvalidArgumentError("pauses rise, and neither they nor what they cost is longer than 2 s");
    least_ns = pause_ns + 1;
  }
  return OkStatus();
}

}  // namespace workbench
