// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InferenceTrace: hears when a request passes each point of its way, and of its tensors where it wants to.
// Whoever made it owns it until the request is sent; then it is held by the request, its responses and their
// factories, and given back by OnRelease when the last of them is gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "inference/data_type.h"
#include "inference/response_observer.h"
#include "memory/memory_resource.h"

namespace workbench {

enum class TraceActivity : uint8_t {  // values of TRITONSERVER_InferenceTraceActivity
  kRequestStart,
  kQueueStart,
  kComputeStart,
  kComputeInputEnd,
  kComputeOutputStart,
  kComputeEnd,
  kRequestEnd,
  kTensorQueueInput,
  kTensorBackendInput,
  kTensorBackendOutput,
  kCustomActivity,
};

// Bits of TRITONSERVER_InferenceTraceLevel.
constexpr uint32_t kTraceTimestamps = 0x4;
constexpr uint32_t kTraceTensors = 0x8;

// A tensor as a trace is shown it; nothing of it lasts beyond the call.
struct TraceTensor {
  const char* name;
  DataType type;
  const void* base;
  size_t byte_size;
  const int64_t* shape;
  uint64_t rank;
  MemoryPlace place;
};

class InferenceTrace {
 public:
  InferenceTrace(uint32_t level, uint64_t parent_id);
  virtual ~InferenceTrace() = default;

  uint64_t id() const { return id_; }
  uint64_t parent_id() const { return parent_id_; }
  uint32_t level() const { return level_; }
  bool wants_tensors() const { return (level_ & kTraceTensors) != 0; }
  const std::string& model_name() const { return model_name_; }
  int64_t model_version() const { return model_version_; }
  const std::string& request_id() const { return request_id_; }
  void SetRequest(const std::string& model_name, int64_t model_version, const std::string& request_id);
  const std::string& context() const { return context_; }
  void set_context(const char* context) { context_ = context; }

  void Report(TraceActivity activity, uint64_t time_ns) {
    if ((level_ & kTraceTimestamps) != 0) OnActivity(activity, time_ns);
  }
  void ReportCustom(const std::string& name, uint64_t time_ns) {
    if ((level_ & kTraceTimestamps) != 0) OnCustomActivity(name, time_ns);
  }
  void ReportTensor(TraceActivity activity, const TraceTensor& tensor) {
    if (wants_tensors()) OnTensor(activity, tensor);
  }

  // The trace is its maker's again; it may delete itself.
  virtual void OnRelease() = 0;
  // A trace of the same kind for a part of the request; owned by the caller until it is sent.
  virtual InferenceTrace* SpawnChild() = 0;

 protected:
  virtual void OnActivity(TraceActivity activity, uint64_t time_ns) = 0;
  virtual void OnCustomActivity(const std::string& name, uint64_t time_ns) = 0;
  virtual void OnTensor(TraceActivity activity, const TraceTensor& tensor) = 0;

 private:
  const uint32_t level_;
  const uint64_t id_;  // of the process; 0 is none
  const uint64_t parent_id_;
  std::string model_name_;
  int64_t model_version_ = 0;
  std::string request_id_;
  std::string context_;
};

// What a traced request and its responses share.
class TraceHolder final : public ResponseObserver {
 public:
  explicit TraceHolder(InferenceTrace* trace) : trace_(trace) {}
  ~TraceHolder() override {
    if (trace_ != nullptr) trace_->OnRelease();
  }
  TraceHolder(const TraceHolder&) = delete;
  TraceHolder& operator=(const TraceHolder&) = delete;

  InferenceTrace* get() const { return trace_; }
  // The request was not sent: the trace stays its maker's.
  void Dismiss() { trace_ = nullptr; }
  void OnSend(const InferenceResponse& response) override;

 private:
  InferenceTrace* trace_;
};

}  // namespace workbench
