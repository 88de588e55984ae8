// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ModelStatistics: what a model counts of itself beside its instances: requests that never reached one,
// answers out of a cache, single responses of decoupled models, and the memory that it reports. Owned by the
// model; any thread. Nothing of it lies on the way of a request that an instance answers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "inference/inference_statistics.h"

namespace workbench {

// Timestamps of one response, nanoseconds of the steady clock.
struct ResponseTimes {
  uint64_t start_ns = 0;
  uint64_t output_start_ns = 0;  // 0: the response has no output
  uint64_t end_ns = 0;
};

class ModelStatistics {
 public:
  // A request failed before it was executed, so many nanoseconds after it came.
  void CountFailure(FailureReason reason, uint64_t ns) EXCLUDES(mutex_);
  // A request was answered out of the cache: request_ns in all, of them queue_ns until it was looked up and
  // lookup_ns for that.
  void CountCacheHit(uint64_t request_ns, uint64_t queue_ns, uint64_t lookup_ns) EXCLUDES(mutex_);
  // Looking up in vain, and keeping the answer, took so long.
  void CountCacheMiss(uint64_t ns) EXCLUDES(mutex_);
  // One response of a decoupled model, the index-th of its request. INVALID_ARGUMENT where the times do not
  // follow each other.
  Status CountResponse(uint32_t index, const ResponseTimes& times, StatusCode outcome) EXCLUDES(mutex_);
  // What the model, or one of its instances, says that it holds; takes the place of what it said before.
  void SetMemoryUsage(const void* reporter, std::vector<BufferAttributes> usage) EXCLUDES(mutex_);

  // Bytes of a tensor were copied.
  void CountCopy(CopyReason reason, uint64_t byte_size) {
    copies_[static_cast<size_t>(reason)].fetch_add(byte_size, std::memory_order_relaxed);
  }

  void AddTo(StatisticsSnapshot* snapshot) const EXCLUDES(mutex_);

 private:
  std::array<std::atomic<uint64_t>, kCopyReasonNames.size()> copies_{};
  mutable Mutex mutex_;
  StatisticsSnapshot counts_ GUARDED_BY(mutex_);  // of the fields above alone
  std::map<const void*, std::vector<BufferAttributes>> memory_usage_ GUARDED_BY(mutex_);
};

}  // namespace workbench
