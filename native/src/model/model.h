// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Model: one version of a model as it is served, behind a TRITONBACKEND_Model handle. Referenced by whoever
// published it and by every request that is bound to it.
//
// Life: Create, Initialize (the backend may complete the configuration), Start (instances, scheduler), serve,
// Retire (takes nothing new), Drain, Close.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/timer.h"
#include "inference/inference_target.h"
#include "inference/model_statistics.h"
#include "model/backend.h"
#include "model/batch_strategy_library.h"
#include "model/instance_set.h"
#include "model/model_instance.h"
#include "scheduling/rate_limit_gate.h"
#include "scheduling/response_cache.h"

namespace workbench {

class Model final : public InferenceTarget {
 public:
  struct Options {
    ModelSignature signature;
    SchedulingOptions scheduling;
    std::vector<ModelInstance::Options> instances;
    std::string folder;                             // of the model in its repository
    std::string config_json;                        // what TRITONBACKEND_ModelConfig tells
    std::vector<double> first_response_buckets_ms;  // empty: the server's
    Labels metric_tags;                             // further labels of the model's metrics
    bool is_cached = false;                         // answers may come out of the response cache
    std::string batch_strategy;                     // path of a shared object; empty: none
    std::vector<WarmupSample> warmup;
    bool may_auto_complete = true;  // the backend may complete the configuration
    // Makes the scheduler of a model that no instance runs; empty: instances run it.
    std::function<std::unique_ptr<Scheduler>(const Model&)> new_scheduler;
  };
  // What the model borrows; all of it outlives the model.
  struct Context {
    const Clock* clock;
    Timer* timer;
    EventSink* events;
    MemoryResource* memory;                     // of the host
    void* server_handle;                        // what TRITONBACKEND_ModelServer tells
    uint16_t number;                            // of (name, version) in events
    std::shared_ptr<ResponseCache> cache;       // of the server; null: it has none
    std::shared_ptr<RateLimitGate> gate;        // of the server; null: rates are not limited
    const std::atomic<uint64_t>* publications;  // how often a model was published
    uint64_t load_number = 0;                   // of this load, of the engine
    LatencyOptions latencies;
    const Nvtx* nvtx = nullptr;  // null: no profiler is there
    const HostPolicies* host_policies = nullptr;
  };
  // Drops a reference; the last one deletes the model.
  struct RemoveReferenceTo {
    void operator()(Model* model) const { model->RemoveReference(); }
  };
  using Ref = std::unique_ptr<Model, RemoveReferenceTo>;

  // backend: null for a model that no instance runs.
  static Ref Create(Options options, std::shared_ptr<Backend> backend, const Context& context);

  // --- control; one thread at a time
  // Runs TRITONBACKEND_ModelInitialize; config_json() may be another afterwards.
  Status Initialize();
  // Takes the final configuration, creates instances and starts to serve.
  Status Start(Options options);
  void Reconfigure(SchedulingOptions scheduling);
  // Other instances from now on; requests go on. On failure they stay as they were.
  Status UpdateInstances(std::vector<ModelInstance::Options> instances);
  // From now on every request is refused that does not go on an open sequence; what waits goes at once.
  void Retire();
  // Open sequences end.
  void CutSequences();
  // Waits until nothing is in flight and no sequence open; false when that took longer.
  bool Drain(uint64_t timeout_ns);
  // Stops the instances and finalises. REQUIRES: retired, and nothing in flight.
  void Close();

  // --- requests; any thread
  std::optional<Refusal> Enqueue(RequestPtr request);
  // The request is in flight from now on, and gets its number. For those that go to an instance directly.
  void BeginInference(InferenceRequest* request);
  // Whether the request goes on a sequence that is open here.
  bool Continues(const InferenceRequest& request) const {
    return scheduler_ && scheduler_->Continues(request);
  }
  size_t open_sequences() const { return scheduler_ ? scheduler_->open_sequences() : 0; }
  bool is_retired() const { return is_retired_.load(std::memory_order_seq_cst); }
  size_t in_flight() const { return in_flight_.load(std::memory_order_relaxed); }
  size_t queue_length() const { return scheduler_ ? scheduler_->queue_length() : 0; }
  std::vector<QueueLevel> queue_levels() const {
    return scheduler_ ? scheduler_->queue_levels() : std::vector<QueueLevel>();
  }
  StatisticsSnapshot statistics() const;
  ModelStatistics& own_statistics() { return statistics_; }
  // As the model's metrics bear them.
  Labels metric_labels() const;
  bool is_cached() const { return options_.is_cached; }
  // Whether an instance does, which then takes inputs where they lie.
  bool runs_on_gpu() const { return runs_on_gpu_.load(std::memory_order_relaxed); }
  // Whether other models compute what it answers.
  bool is_composed() const { return options_.new_scheduler != nullptr; }
  uint64_t load_number() const { return context_.load_number; }
  const ModelLatencies* latencies() const { return latencies_.get(); }
  // From its making until it could serve; 0 until then.
  uint64_t load_ns() const { return load_ns_; }

  // --- InferenceTarget
  const ModelSignature& signature() const override { return options_.signature; }
  void AddReference() override { references_.fetch_add(1, std::memory_order_relaxed); }
  void RemoveReference() override {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  void OnRequestReleased(InferenceRequest* request, uint32_t flags) override;
  Status Reschedule(InferenceRequest* request) override;
  void AddInFlight() override { in_flight_.fetch_add(1, std::memory_order_seq_cst); }
  void RemoveInFlight() override;

  // --- what the backend asks
  const std::string& folder() const { return options_.folder; }
  const std::string& config_json() const { return options_.config_json; }
  // As the backend set it, for whoever judges it; where it set none, the one that it was given.
  const std::string& told_config() const {
    return told_config_.empty() ? options_.config_json : told_config_;
  }
  bool may_auto_complete() const { return options_.may_auto_complete; }
  // Legal while ModelInitialize runs; config_completion.h tells what of it counts.
  Status SetConfig(const std::string& config_json);
  Backend* backend() const { return backend_.get(); }
  void* server_handle() const { return context_.server_handle; }
  uint16_t number() const { return context_.number; }
  void* state() const { return state_; }
  void set_state(void* state) { state_ = state; }

 private:
  Model(Options options, std::shared_ptr<Backend> backend, const Context& context);
  ~Model() override;
  TRITONBACKEND_Model* handle() { return ToHandle<TRITONBACKEND_Model>(this); }
  Status CreateStrategy();
  void NotePlaces();
  std::unique_ptr<Scheduler> NewScheduler() const;
  std::unique_ptr<Scheduler> Cached(std::unique_ptr<Scheduler> scheduler);
  ModelInstance::Context InstanceContext();
  void Number(InferenceRequest* request);
  void AppendUnreported(const InferenceRequest& request);
  void CountLost(const InferenceRequest& request);
  void ObserveFirstResponse(InferenceRequest* request);
  std::unique_ptr<ModelLatencies> NewLatencies() const;

  // Constant once started.
  Options options_;
  std::string told_config_;                 // by the backend; empty: nothing
  const std::shared_ptr<Backend> backend_;  // shared with the backend's other models; may be null
  const Context context_;
  std::unique_ptr<ModelLatencies> latencies_;
  const uint64_t created_ns_;
  uint64_t load_ns_ = 0;
  std::unique_ptr<BatchStrategyLibrary> strategy_;
  std::unique_ptr<IdleInstances> idle_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<InstanceSet> instances_;
  void* state_ = nullptr;
  bool is_initializing_ = false;
  bool is_initialized_ = false;

  // Self-synchronised.
  ModelStatistics statistics_;
  std::atomic<size_t> references_{1};
  std::atomic<bool> is_retired_{false};
  std::atomic<bool> runs_on_gpu_{false};
  alignas(64) std::atomic<size_t> in_flight_{0};
  std::atomic<uint64_t> serial_{0};
  Mutex drained_mutex_;
  CondVar drained_;
};

}  // namespace workbench
