// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Latencies in buckets of less than one percent: recording is one increment and never allocates.
// One thread at a time records; merge and read after the run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace workbench::bench {

class LatencyHistogram {
 public:
  void Record(uint64_t ns) {
    ++buckets_[Index(ns)];
    total_ns_ += ns;
    max_ns_ = std::max(max_ns_, ns);
  }

  void Merge(const LatencyHistogram& other) {
    for (size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
    total_ns_ += other.total_ns_;
    max_ns_ = std::max(max_ns_, other.max_ns_);
  }

  uint64_t Count() const {
    uint64_t count = 0;
    for (uint32_t bucket : buckets_) count += bucket;
    return count;
  }

  double MeanUs() const { return Count() == 0 ? 0 : total_ns_ / 1e3 / Count(); }
  double MaxUs() const { return max_ns_ / 1e3; }

  // Nearest rank, as the lower bound of its bucket.
  double QuantileUs(double quantile) const {
    const auto rank = static_cast<uint64_t>(quantile * Count());
    uint64_t seen = 0;
    for (size_t i = 0; i < buckets_.size(); ++i) {
      seen += buckets_[i];
      if (seen > rank) return LowerBoundNs(i) / 1e3;
    }
    return MaxUs();
  }

 private:
  static constexpr int kStepBits = 7;  // 128 buckets an octave
  static constexpr uint64_t kSteps = uint64_t{1} << kStepBits;
  static constexpr int kOctaves = 30;  // up to 2^36 ns, 68 s

  static size_t Index(uint64_t ns) {
    if (ns < kSteps) return ns;
    const int shift = 63 - __builtin_clzll(ns) - kStepBits;
    const size_t index = (shift + 1) * kSteps + ((ns >> shift) - kSteps);
    return std::min<size_t>(index, kOctaves * kSteps - 1);
  }

  static uint64_t LowerBoundNs(size_t index) {
    if (index < kSteps) return index;
    return (kSteps + index % kSteps) << (index / kSteps - 1);
  }

  std::array<uint32_t, kOctaves * kSteps> buckets_{};
  uint64_t total_ns_ = 0;
  uint64_t max_ns_ = 0;
};

}  // namespace workbench::bench
