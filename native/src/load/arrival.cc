// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/arrival.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace workbench {
namespace {

constexpr double kNsPerSecond = 1e9;
// A schedule is kept in memory as a whole: 2 GiB of it are a mistake.
constexpr uint64_t kMaxCount = uint64_t{1} << 28;

double Exponential(Random* random) { return -std::log(random->NextUnit()); }

double Normal(Random* random) {
  const double radius = std::sqrt(-2 * std::log(random->NextUnit()));
  return radius * std::cos(2 * M_PI * random->NextUnit());
}

// Marsaglia and Tsang 2000; below shape 1 by the boost of their section 6.
double Gamma(double shape, Random* random) {
  if (shape < 1) return Gamma(shape + 1, random) * std::pow(random->NextUnit(), 1 / shape);
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = Normal(random);
    const double v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(random->NextUnit()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

// Gaps of a two-state Markov-modulated Poisson process.
class MarkovGaps {
 public:
  MarkovGaps(const ArrivalOptions& options, Random* random)
      : random_(random),
        dwell_ns_(options.dwell_s * kNsPerSecond),
        low_gap_ns_(kNsPerSecond * (1 + options.shape) / (2 * options.rate)),
        high_gap_ns_(low_gap_ns_ / options.shape),
        left_ns_(dwell_ns_ * Exponential(random)),
        is_high_(random->NextUnit() <= 0.5) {}

  double Next() {
    double gap_ns = 0;
    while (true) {
      const double draw_ns = (is_high_ ? high_gap_ns_ : low_gap_ns_) * Exponential(random_);
      if (draw_ns <= left_ns_) {
        left_ns_ -= draw_ns;
        return gap_ns + draw_ns;
      }
      // The state ends first; what is left of an exponential gap is exponential again.
      gap_ns += left_ns_;
      is_high_ = !is_high_;
      left_ns_ = dwell_ns_ * Exponential(random_);
    }
  }

 private:
  Random* const random_;
  const double dwell_ns_;
  const double low_gap_ns_;
  const double high_gap_ns_;
  double left_ns_;
  bool is_high_;  // drawn at first, too: no state is favoured by short runs
};

template <typename NextGap>
std::vector<int64_t> Accumulate(uint64_t count, NextGap next_gap_ns) {
  std::vector<int64_t> times(count);
  double now_ns = 0;
  for (int64_t& time : times) time = std::llround(now_ns += next_gap_ns());
  return times;
}

Status Check(const ArrivalOptions& options) {
  if (!(options.rate > 0) || !std::isfinite(options.rate)) {
    return InvalidArgumentError("rate must be a positive number of requests per second");
  }
  if (options.count > kMaxCount) return InvalidArgumentError("a schedule holds at most 2^28 requests");
  if (!(options.shape > 0)) return InvalidArgumentError("shape must be positive");
  if (!(options.dwell_s > 0)) return InvalidArgumentError("dwell_s must be positive");
  return OkStatus();
}

}  // namespace

Result<std::vector<int64_t>> DrawArrivals(const ArrivalOptions& options) {
  RETURN_IF_ERROR(Check(options));
  Random random(options.seed);
  const double gap_ns = kNsPerSecond / options.rate;
  switch (options.kind) {
    case ArrivalKind::kConstant:
      return Accumulate(options.count, [&] { return gap_ns; });
    case ArrivalKind::kPoisson:
      return Accumulate(options.count, [&] { return gap_ns * Exponential(&random); });
    case ArrivalKind::kGamma:
      return Accumulate(options.count,
                        [&] { return gap_ns / options.shape * Gamma(options.shape, &random); });
    case ArrivalKind::kMarkov:
      return Accumulate(options.count,
                        [gaps = MarkovGaps(options, &random)]() mutable { return gaps.Next(); });
  }
  return InternalError("an arrival kind without a rule");
}

Status CheckSchedule(const std::vector<int64_t>& schedule_ns) {
  if (!schedule_ns.empty() && schedule_ns.front() < 0) {
    return InvalidArgumentError(
        "the times of a schedule count from the start of the run and are not negative");
  }
  if (!std::is_sorted(schedule_ns.begin(), schedule_ns.end())) {
    return InvalidArgumentError("the times of a schedule must be ascending");
  }
  return OkStatus();
}

}  // namespace workbench
