// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/inference_statistics.h"

#include <algorithm>

namespace workbench {
namespace {

StatisticsSnapshot::Duration Read(const std::atomic<uint64_t>& count, const std::atomic<uint64_t>& ns) {
  return {count.load(std::memory_order_relaxed), ns.load(std::memory_order_relaxed)};
}

// A backend that reports zeros, or swaps its stamps, must not count centuries.
uint64_t Elapsed(uint64_t from_ns, uint64_t to_ns) { return to_ns > from_ns ? to_ns - from_ns : 0; }

ComputeDurations DurationsOf(const ExecutionTimes& times) {
  ComputeDurations durations;
  durations.Add(times);
  return durations;
}

}  // namespace

void StatisticsSnapshot::Response::Add(const Response& other) {
  compute_infer.Add(other.compute_infer);
  compute_output.Add(other.compute_output);
  success.Add(other.success);
  fail.Add(other.fail);
  empty_response.Add(other.empty_response);
  cancel.Add(other.cancel);
}

void StatisticsSnapshot::AddMemory(const BufferAttributes& usage) {
  const auto is_there = [&](const BufferAttributes& known) {
    return known.place.type == usage.place.type && known.place.id == usage.place.id;
  };
  const auto known = std::find_if(memory_usage.begin(), memory_usage.end(), is_there);
  if (known == memory_usage.end()) {
    memory_usage.push_back(usage);
  } else {
    known->byte_size += usage.byte_size;
  }
}

void ComputeDurations::Add(const ExecutionTimes& times) {
  input_ns += Elapsed(times.start_ns, times.compute_start_ns);
  infer_ns += Elapsed(times.compute_start_ns, times.compute_end_ns);
  output_ns += Elapsed(times.compute_end_ns, times.end_ns);
}

void StatisticsSnapshot::Add(const StatisticsSnapshot& other) {
  success.Add(other.success);
  fail.Add(other.fail);
  queue.Add(other.queue);
  compute_input.Add(other.compute_input);
  compute_infer.Add(other.compute_infer);
  compute_output.Add(other.compute_output);
  inference_count += other.inference_count;
  execution_count += other.execution_count;
  last_inference_ns = std::max(last_inference_ns, other.last_inference_ns);
  if (batches.size() < other.batches.size()) batches.resize(other.batches.size());
  for (size_t size = 0; size < other.batches.size(); ++size) {
    batches[size].compute_input.Add(other.batches[size].compute_input);
    batches[size].compute_infer.Add(other.batches[size].compute_infer);
    batches[size].compute_output.Add(other.batches[size].compute_output);
  }
  cache_hit.Add(other.cache_hit);
  cache_miss.Add(other.cache_miss);
  for (size_t reason = 0; reason < kFailureReasons; ++reason) failures[reason] += other.failures[reason];
  if (responses.size() < other.responses.size()) responses.resize(other.responses.size());
  for (size_t place = 0; place < other.responses.size(); ++place)
    responses[place].Add(other.responses[place]);
  for (const BufferAttributes& usage : other.memory_usage) AddMemory(usage);
  for (size_t reason = 0; reason < copies.size(); ++reason) copies[reason] += other.copies[reason];
}

InferenceStatistics::InferenceStatistics(uint32_t max_batch_size)
    : batch_sizes_(std::max(1u, max_batch_size) + 1) {
  own_.batches = std::make_unique<BatchCounters[]>(batch_sizes_);
  foreign_.batches = std::make_unique<BatchCounters[]>(batch_sizes_);
}

void InferenceStatistics::Increase(bool is_own_thread, Counter* counter, uint64_t by) {
  if (is_own_thread) {
    counter->value.store(counter->value.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  } else {
    counter->value.fetch_add(by, std::memory_order_relaxed);
  }
}

void InferenceStatistics::Count(bool is_own_thread, DurationCounter* duration, uint64_t ns) {
  Increase(is_own_thread, &duration->count, 1);
  Increase(is_own_thread, &duration->ns, ns);
}

void InferenceStatistics::CountDurations(bool is_own_thread, Counters* counters,
                                         const ComputeDurations& durations) {
  Count(is_own_thread, &counters->compute_input, durations.input_ns);
  Count(is_own_thread, &counters->compute_infer, durations.infer_ns);
  Count(is_own_thread, &counters->compute_output, durations.output_ns);
}

void InferenceStatistics::CountRequest(bool is_own_thread, bool success, uint64_t arrival_ns, uint32_t rows,
                                       const ExecutionTimes& times) {
  Counters& counters = is_own_thread ? own_ : foreign_;
  if (!success) return Count(is_own_thread, &counters.fail, Elapsed(arrival_ns, times.end_ns));
  Increase(is_own_thread, &counters.inference_count, rows);
  Count(is_own_thread, &counters.success, Elapsed(arrival_ns, times.end_ns));
  Count(is_own_thread, &counters.queue, Elapsed(arrival_ns, times.start_ns));
  CountDurations(is_own_thread, &counters, DurationsOf(times));
}

void InferenceStatistics::CountBatch(bool is_own_thread, Counters* counters, uint64_t rows, uint64_t end_ns,
                                     const ComputeDurations& durations) const {
  Increase(is_own_thread, &counters->execution_count, 1);
  counters->last_inference_ns.value.store(end_ns, std::memory_order_relaxed);
  BatchCounters& batch = counters->batches[std::min<uint64_t>(rows, batch_sizes_ - 1)];
  Increase(is_own_thread, &batch.count, 1);
  Increase(is_own_thread, &batch.input_ns, durations.input_ns);
  Increase(is_own_thread, &batch.infer_ns, durations.infer_ns);
  Increase(is_own_thread, &batch.output_ns, durations.output_ns);
}

void InferenceStatistics::CountExecution(bool is_own_thread, uint64_t rows, const ExecutionTimes& times) {
  CountBatch(is_own_thread, is_own_thread ? &own_ : &foreign_, rows, times.end_ns, DurationsOf(times));
}

void InferenceStatistics::CountComposed(bool success, uint64_t arrival_ns, const ExecutionTimes& times,
                                        uint64_t rows, const ComputeDurations& durations) {
  if (!success) return Count(false, &foreign_.fail, Elapsed(arrival_ns, times.end_ns));
  Increase(false, &foreign_.inference_count, rows);
  Count(false, &foreign_.success, Elapsed(arrival_ns, times.end_ns));
  Count(false, &foreign_.queue, Elapsed(arrival_ns, times.start_ns));
  CountDurations(false, &foreign_, durations);
  CountBatch(false, &foreign_, rows, times.end_ns, durations);
}

void InferenceStatistics::AddTo(const Counters& counters, StatisticsSnapshot* snapshot) const {
  auto duration = [](const DurationCounter& d) { return Read(d.count.value, d.ns.value); };
  snapshot->success.Add(duration(counters.success));
  snapshot->fail.Add(duration(counters.fail));
  snapshot->failures[static_cast<size_t>(FailureReason::kBackend)] +=
      counters.fail.count.value.load(std::memory_order_relaxed);
  snapshot->queue.Add(duration(counters.queue));
  snapshot->compute_input.Add(duration(counters.compute_input));
  snapshot->compute_infer.Add(duration(counters.compute_infer));
  snapshot->compute_output.Add(duration(counters.compute_output));
  snapshot->inference_count += counters.inference_count.value.load(std::memory_order_relaxed);
  snapshot->execution_count += counters.execution_count.value.load(std::memory_order_relaxed);
  snapshot->last_inference_ns =
      std::max(snapshot->last_inference_ns, counters.last_inference_ns.value.load(std::memory_order_relaxed));
  for (uint32_t size = 0; size < batch_sizes_; ++size) {
    const BatchCounters& batch = counters.batches[size];
    snapshot->batches[size].compute_input.Add(Read(batch.count.value, batch.input_ns.value));
    snapshot->batches[size].compute_infer.Add(Read(batch.count.value, batch.infer_ns.value));
    snapshot->batches[size].compute_output.Add(Read(batch.count.value, batch.output_ns.value));
  }
}

StatisticsSnapshot InferenceStatistics::Snapshot() const {
  StatisticsSnapshot snapshot;
  snapshot.batches.resize(batch_sizes_);
  AddTo(own_, &snapshot);
  AddTo(foreign_, &snapshot);
  return snapshot;
}

}  // namespace workbench
