// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ModelInstance: one execution context of a model, with its thread, behind a TRITONBACKEND_ModelInstance
// handle. Owned by its model. Never executes two batches at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/thread_placement.h"
#include "device/nvtx.h"
#include "events/event_sink.h"
#include "inference/inference_statistics.h"
#include "model/backend.h"
#include "model/host_policies.h"
#include "model/idle_instances.h"
#include "model/model_latencies.h"
#include "scheduling/rate_limit_seat.h"

namespace workbench {

class Model;

class ModelInstance {
 public:
  struct Options {
    std::string name;
    TRITONSERVER_InstanceGroupKind kind = TRITONSERVER_INSTANCEGROUPKIND_CPU;
    int32_t device_id = 0;
    bool is_passive = false;
    std::string host_policy;  // empty: named after the kind
    std::vector<std::string> profiles;
    struct Device {
      std::string kind;
      int64_t id = 0;
      bool operator==(const Device& other) const { return kind == other.kind && id == other.id; }
    };
    std::vector<Device> secondary_devices;
    RateLimit limit;  // at first
  };
  // What the instance borrows; all of it outlives the instance.
  struct Context {
    Model* model = nullptr;
    Backend* backend = nullptr;
    Scheduler* scheduler = nullptr;
    IdleInstances* idle = nullptr;
    EventSink* events = nullptr;
    const Clock* clock = nullptr;
    const HostPolicies* host_policies = nullptr;  // null: none has settings
    std::shared_ptr<RateLimitGate> gate;          // null: rates are not limited
    uint16_t model_number = 0;
    uint32_t index = 0;  // among the model's instances
    uint32_t max_batch_size = 0;
    ModelLatencies* latencies = nullptr;  // null: nobody asks for distributions
    const Nvtx* nvtx = nullptr;           // null: no profiler is there
  };

  // Runs TRITONBACKEND_ModelInstanceInitialize.
  static Result<std::unique_ptr<ModelInstance>> Create(const Options& options, const Context& context);
  ~ModelInstance();  // REQUIRES: its thread has ended. Runs ModelInstanceFinalize.

  // --- on the instance's thread
  // To be filled, then executed.
  Batch* NextBatch() { return &batch_; }
  void Execute();
  void Execute(Batch batch);
  // The instance that executes on this thread, or did last; null: none.
  static const ModelInstance* Current();

  uint32_t index() const { return context_.index; }
  // As blocks of memory bear it.
  uint16_t memory_owner() const { return static_cast<uint16_t>(context_.index + 1); }
  const ThreadPlacement& placement() const { return placement_; }
  // Null: the engine limits no rates.
  RateLimitSeat* rate_limit_seat() const { return rate_limit_seat_.get(); }

  const Options& options() const { return options_; }
  // What executes now; of the instance's own thread.
  const Batch& batch() const { return batch_; }
  Model* model() const { return context_.model; }
  Message* host_policy() { return &host_policy_; }
  void* state() const { return state_; }
  void set_state(void* state) { state_ = state; }

  // What the backend reports. Any thread, before the request is released.
  void ReportRequest(InferenceRequest* request, bool success, ExecutionTimes times);
  void ReportExecution(uint64_t rows, ExecutionTimes times);
  StatisticsSnapshot statistics() const { return statistics_.Snapshot(); }

 private:
  ModelInstance(const Options& options, const Context& context);
  TRITONBACKEND_ModelInstance* handle() { return ToHandle<TRITONBACKEND_ModelInstance>(this); }
  Status Initialize();
  void ExecuteUnnamed();
  void DropCancelled();
  void Refuse(const Status& status);
  uint16_t RequestCount() const;
  void AppendBatchEvent(uint64_t arrival_ns, uint16_t count, uint32_t rows);
  bool is_own_thread() const;

  // Constant.
  const Options options_;
  const Context context_;
  Message host_policy_;
  ThreadPlacement placement_;
  std::unique_ptr<RateLimitSeat> rate_limit_seat_;

  // Self-synchronised.
  InferenceStatistics statistics_;

  // Of the instance's own thread.
  Batch batch_;
  std::vector<uint64_t> serials_;  // of the batch: whether a request is still the one that it was
  uint32_t executions_ = 0;
  uint64_t start_ns_ = 0;       // of the execution under way, by our own clock; 0: not read
  ExecutionTimes reported_;     // of the execution under way; zeros: nothing reported
  bool reports_times_ = false;  // the backend's stamps can be relied on: no clock of our own is read

  void* state_ = nullptr;
  bool is_initialized_ = false;
};

}  // namespace workbench
