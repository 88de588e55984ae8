// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InferenceStatistics: counters of one instance, summed over instances when read.
//
// The instance's own thread counts without a locked instruction; other threads (a backend that completes on a
// thread of its own) count in a second set. Readers add both.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "inference/copy_reason.h"
#include "memory/buffer_attributes.h"

namespace workbench {

// Timestamps that a backend reports, nanoseconds of the steady clock.
struct ExecutionTimes {
  uint64_t start_ns = 0;
  uint64_t compute_start_ns = 0;
  uint64_t compute_end_ns = 0;
  uint64_t end_ns = 0;
};

// Why a request failed, as the metrics page tells it.
enum class FailureReason : uint8_t { kRejected, kCancelled, kBackend, kOther };
constexpr size_t kFailureReasons = 4;

// How long the parts of a computation took.
struct ComputeDurations {
  uint64_t input_ns = 0;
  uint64_t infer_ns = 0;
  uint64_t output_ns = 0;

  void Add(const ExecutionTimes& times);
};

struct StatisticsSnapshot {
  struct Duration {
    uint64_t count = 0;
    uint64_t ns = 0;
    void Add(const Duration& other) {
      count += other.count;
      ns += other.ns;
    }
  };
  struct Batch {
    Duration compute_input;
    Duration compute_infer;
    Duration compute_output;
  };

  // What is counted of the responses that came at one place of their requests, of decoupled models alone.
  struct Response {
    Duration compute_infer;
    Duration compute_output;
    Duration success;
    Duration fail;
    Duration empty_response;
    Duration cancel;
    void Add(const Response& other);
  };

  Duration success;
  Duration fail;
  Duration queue;
  Duration compute_input;
  Duration compute_infer;
  Duration compute_output;
  uint64_t inference_count = 0;
  uint64_t execution_count = 0;
  uint64_t last_inference_ns = 0;  // steady clock; 0: none yet
  std::vector<Batch> batches;      // by batch size; [0] unused
  Duration cache_hit;
  Duration cache_miss;
  std::array<uint64_t, kFailureReasons> failures{};
  std::vector<Response> responses;             // by place in the request
  std::vector<BufferAttributes> memory_usage;  // one entry for each memory
  CopyCounts copies{};                         // bytes by CopyReason

  void Add(const StatisticsSnapshot& other);
  void AddMemory(const BufferAttributes& usage);
};

class InferenceStatistics {
 public:
  explicit InferenceStatistics(uint32_t max_batch_size);

  // One request was executed. arrival_ns: when it was queued; rows: of its batch, an inference each where it
  // succeeded.
  void CountRequest(bool is_own_thread, bool success, uint64_t arrival_ns, uint32_t rows,
                    const ExecutionTimes& times);
  // One execution of so many rows.
  void CountExecution(bool is_own_thread, uint64_t rows, const ExecutionTimes& times);
  // One request of so many rows that other models computed, for durations in all; times: when it was taken up
  // and answered. Any thread.
  void CountComposed(bool success, uint64_t arrival_ns, const ExecutionTimes& times, uint64_t rows,
                     const ComputeDurations& durations);
  StatisticsSnapshot Snapshot() const;

 private:
  struct Counter {
    std::atomic<uint64_t> value{0};
  };
  struct DurationCounter {
    Counter count;
    Counter ns;
  };
  struct BatchCounters {
    Counter count;
    Counter input_ns;
    Counter infer_ns;
    Counter output_ns;
  };
  struct alignas(64) Counters {
    DurationCounter success, fail, queue, compute_input, compute_infer, compute_output;
    Counter inference_count, execution_count, last_inference_ns;
    std::unique_ptr<BatchCounters[]> batches;
  };

  static void Increase(bool is_own_thread, Counter* counter, uint64_t by);
  static void Count(bool is_own_thread, DurationCounter* duration, uint64_t ns);
  static void CountDurations(bool is_own_thread, Counters* counters, const ComputeDurations& durations);
  void CountBatch(bool is_own_thread, Counters* counters, uint64_t rows, uint64_t end_ns,
                  const ComputeDurations& durations) const;
  void AddTo(const Counters& counters, StatisticsSnapshot* snapshot) const;

  const uint32_t batch_sizes_;  // rows above are counted with the last
  Counters own_;
  Counters foreign_;
};

}  // namespace workbench
