// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/model_statistics.h"

#include <utility>

namespace workbench {
namespace {

using Duration = StatisticsSnapshot::Duration;

// Where there is no output, everything until the end is inference.
uint64_t InferEnd(const ResponseTimes& times) {
  return times.output_start_ns != 0 ? times.output_start_ns : times.end_ns;
}

Status CheckOrder(const ResponseTimes& times) {
  if (times.start_ns <= InferEnd(times) && InferEnd(times) <= times.end_ns) return OkStatus();
  return InvalidArgumentError("a response starts, then its output, then it ends; reported were " +
                              std::to_string(times.start_ns) + ", " + std::to_string(times.output_start_ns) +
                              ", " + std::to_string(times.end_ns));
}

void CountComputed(const ResponseTimes& times, StatisticsSnapshot::Response* response) {
  response->compute_infer.Add({1, InferEnd(times) - times.start_ns});
  if (times.output_start_ns != 0) response->compute_output.Add({1, times.end_ns - times.output_start_ns});
}

}  // namespace

void ModelStatistics::CountFailure(FailureReason reason, uint64_t ns) {
  MutexLock lock(&mutex_);
  counts_.fail.Add({1, ns});
  ++counts_.failures[static_cast<size_t>(reason)];
}

void ModelStatistics::CountCacheHit(uint64_t request_ns, uint64_t queue_ns, uint64_t lookup_ns) {
  MutexLock lock(&mutex_);
  counts_.success.Add({1, request_ns});
  counts_.queue.Add({1, queue_ns});
  counts_.cache_hit.Add({1, lookup_ns});
}

// The request was counted by the instance, without what the cache took of its time.
void ModelStatistics::CountCacheMiss(uint64_t ns) {
  MutexLock lock(&mutex_);
  counts_.success.ns += ns;
  counts_.cache_miss.Add({1, ns});
}

Status ModelStatistics::CountResponse(uint32_t index, const ResponseTimes& times, StatusCode outcome) {
  RETURN_IF_ERROR(CheckOrder(times));
  const Duration whole{1, times.end_ns - times.start_ns};
  MutexLock lock(&mutex_);
  if (counts_.responses.size() <= index) counts_.responses.resize(index + 1);
  StatisticsSnapshot::Response& response = counts_.responses[index];
  if (outcome == StatusCode::kCancelled) {
    response.cancel.Add(whole);
    return OkStatus();
  }
  CountComputed(times, &response);
  const bool is_empty = times.output_start_ns == 0;
  Duration& ending = outcome != StatusCode::kOk ? response.fail
                     : is_empty                 ? response.empty_response
                                                : response.success;
  ending.Add(whole);
  return OkStatus();
}

void ModelStatistics::SetMemoryUsage(const void* reporter, std::vector<BufferAttributes> usage) {
  MutexLock lock(&mutex_);
  memory_usage_[reporter] = std::move(usage);
}

void ModelStatistics::AddTo(StatisticsSnapshot* snapshot) const {
  for (size_t reason = 0; reason < copies_.size(); ++reason)
    snapshot->copies[reason] += copies_[reason].load(std::memory_order_relaxed);
  MutexLock lock(&mutex_);
  snapshot->Add(counts_);
  for (const auto& [reporter, usage] : memory_usage_) {
    for (const BufferAttributes& part : usage) snapshot->AddMemory(part);
  }
}

}  // namespace workbench
