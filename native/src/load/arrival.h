// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrivals: when the requests of a run are to be sent. Pure: the whole schedule is drawn before the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace workbench {

enum class ArrivalKind : uint8_t {
  kConstant,  // equal gaps
  kPoisson,   // exponential gaps
  kGamma,     // gamma gaps; their squared coefficient of variation is 1 / shape
  kMarkov,    // Poisson whose rate switches between two states of equal mean dwell time; shape = ratio of the
              // rates
};

struct ArrivalOptions {
  ArrivalKind kind = ArrivalKind::kPoisson;
  double rate = 0;  // requests per second, mean over all states
  uint64_t count = 0;
  uint64_t seed = 1;
  double shape = 0.5;
  double dwell_s = 0.1;  // kMarkov: mean time in a state
};

// The kind called name: "constant", "poisson", "gamma" or "markov".
inline Result<ArrivalKind> ArrivalKindOf(const std::string& name) {
  if (name == "constant") return ArrivalKind::kConstant;
  if (name == "poisson") return ArrivalKind::kPoisson;
  if (name == "gamma") return ArrivalKind::kGamma;
  if (name == "markov") return ArrivalKind::kMarkov;
  return InvalidArgumentError("no arrivals '" + name + "'; there are constant, poisson, gamma and markov");
}

// Nanoseconds since the start of the run, ascending, options.count of them. The same options give the same
// times.
Result<std::vector<int64_t>> DrawArrivals(const ArrivalOptions& options);

// For a replay: INVALID_ARG unless the times are ascending and none is negative.
Status CheckSchedule(const std::vector<int64_t>& schedule_ns);

}  // namespace workbench
