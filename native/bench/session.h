// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Requests of the in-process driver: a Slot is one request in flight, its buffers and latencies;
// a Session is what all slots share. A slot belongs to one thread at a time: to the submitter until
// ServerInferAsync, then to the library's callbacks until the load mode is told of its completion.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "latency_histogram.h"
#include "server_library.h"

namespace workbench::bench {

inline uint64_t NowNs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

class Session;

struct alignas(64) Slot {
  Session* session = nullptr;
  TRITONSERVER_InferenceRequest* request = nullptr;
  std::vector<float> input;
  std::vector<float> output;
  uint64_t intended_ns = 0;  // when the request was meant to be sent: latency runs from here
  uint64_t answered_ns = 0;
  std::atomic<int> outstanding{0};  // the final response and the release
  LatencyHistogram latencies;
};

// Told when a slot has its response and its request is released, on a thread of the library.
class CompletionListener {
 public:
  virtual ~CompletionListener() = default;
  virtual void Complete(Slot& slot) = 0;
};

class Session {
 public:
  struct Options {
    std::string model;
    int slot_count = 1;
    int rows = 1;                 // inferences in a request
    bool reuse_requests = false;  // else a fresh request object each time, as front ends do
  };

  Session(const ServerLibrary& library, TRITONSERVER_Server* server, Options options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void SetListener(CompletionListener* listener) { listener_ = listener; }
  void SetRecording(bool recording) { recording_.store(recording); }

  // Sends the slot's next request; every request carries a new value, so a stale output shows.
  void Submit(Slot& slot, uint64_t intended_ns);

  std::vector<Slot>& Slots() { return slots_; }
  size_t IndexOf(const Slot& slot) const { return &slot - slots_.data(); }
  LatencyHistogram Latencies() const;
  uint64_t Mismatches() const { return mismatches_.load(); }

 private:
  static TRITONSERVER_Error* Allocate(TRITONSERVER_ResponseAllocator*, const char*, size_t,
                                      TRITONSERVER_MemoryType, int64_t, void*, void**, void**,
                                      TRITONSERVER_MemoryType*, int64_t*);
  static void OnRelease(TRITONSERVER_InferenceRequest*, uint32_t flags, void* slot);
  static void OnResponse(TRITONSERVER_InferenceResponse*, uint32_t flags, void* slot);

  void BuildRequest(Slot& slot);
  void Verify(const Slot& slot, TRITONSERVER_InferenceResponse* response);
  void FinishPart(Slot& slot);

  const ServerLibrary& library_;
  TRITONSERVER_Server* const server_;
  const Options options_;
  TRITONSERVER_ResponseAllocator* allocator_ = nullptr;
  CompletionListener* listener_ = nullptr;
  std::vector<Slot> slots_;
  std::atomic<bool> recording_{false};
  std::atomic<uint64_t> mismatches_{0};
};

}  // namespace workbench::bench
