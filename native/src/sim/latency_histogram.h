// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// LatencyHistogram: counts of times in buckets whose width is at most 0.4 % of their value, so that quantiles
// cost no memory that grows with a run. One owner, one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace workbench {

class LatencyHistogram {
 public:
  LatencyHistogram() : counts_(IndexOf(UINT64_MAX) + 1, 0) {}

  void Add(uint64_t value_ns) {
    ++counts_[IndexOf(value_ns)];
    ++count_;
    sum_ns_ += value_ns;
    max_ns_ = std::max(max_ns_, value_ns);
  }

  uint64_t count() const { return count_; }
  uint64_t max_ns() const { return max_ns_; }
  double mean_ns() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_ns_) / static_cast<double>(count_);
  }

  // 0 < q <= 1; linear within a bucket. 0 where nothing was added.
  double Quantile(double q) const { return Quantiles(&q, 1).front(); }
  // The same of several in ascending order, by one look at the buckets.
  std::vector<double> Quantiles(const double* q, size_t count) const {
    std::vector<double> found;
    double below = 0;
    for (size_t i = 0; i < counts_.size() && found.size() < count; ++i) {
      if (counts_[i] == 0) continue;
      const auto here = static_cast<double>(counts_[i]);
      while (found.size() < count && below + here >= RankOf(q[found.size()])) {
        const double share = (RankOf(q[found.size()]) - below) / here;
        const double value_ns = LowOf(i) + (LowOf(i + 1) - LowOf(i)) * share;
        found.push_back(std::min(value_ns, static_cast<double>(max_ns_)));
      }
      below += here;
    }
    found.resize(count, static_cast<double>(max_ns_));
    return found;
  }

 private:
  static constexpr unsigned kBits = 8;  // buckets of an octave: 2^kBits
  static constexpr uint64_t kPerOctave = uint64_t{1} << kBits;

  // Below kPerOctave each value has its own bucket; above, the leading kBits + 1 bits name it.
  static size_t IndexOf(uint64_t value_ns) {
    if (value_ns < kPerOctave) return value_ns;
    const auto octave = static_cast<unsigned>(63 - __builtin_clzll(value_ns)) - kBits;
    return octave * kPerOctave + (value_ns >> octave);
  }
  double RankOf(double q) const { return q * static_cast<double>(count_); }
  static double LowOf(size_t index) {
    if (index < kPerOctave) return static_cast<double>(index);
    const size_t octave = index / kPerOctave - 1;
    return static_cast<double>(index - octave * kPerOctave) * static_cast<double>(uint64_t{1} << octave);
  }

  std::vector<uint32_t> counts_;
  uint64_t count_ = 0;
  uint64_t sum_ns_ = 0;
  uint64_t max_ns_ = 0;
};

}  // namespace workbench
