// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Engine: one serving core, behind a TRITONSERVER_Server handle. The one place that wires clock, timer,
// events, memory, backends and models together. Owned by whoever manages its models.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/timer.h"
#include "device/nvml.h"
#include "device/nvtx.h"
#include "engine/bridge.h"
#include "engine/call.h"
#include "engine/device_region.h"
#include "engine/ensemble_builder.h"
#include "engine/host_memory.h"
#include "engine/machine_metrics.h"
#include "engine/model_registry.h"
#include "engine/tracing.h"

namespace workbench {

class Engine final : public EngineBridge, public StepRunner {
 public:
  static Result<std::unique_ptr<Engine>> Create(const EngineOptions& options);
  ~Engine() override;

  // --- requests; any thread
  // version -1: the latest.
  Result<RequestPtr> NewRequest(std::string_view model, int64_t version) override;
  // Takes the request for inference; one made for a model that was reloaded since goes to the new one.
  std::optional<Refusal> Infer(RequestPtr request) override;
  ModelRegistry& registry() { return registry_; }
  bool is_tracing() const { return tracing_.is_on(); }
  // Before it is sent. Null: the request is not traced.
  std::shared_ptr<TraceBridge> BeginTrace(InferenceRequest* request, bool is_wanted);

  // --- EngineBridge
  void* server_handle() override { return this; }
  const std::string& name() const override { return options_.name; }
  Result<std::shared_ptr<BackendBridge>> OpenBackend(const std::string& name, const std::string& path,
                                                     const std::string& config_json) override;
  Result<std::unique_ptr<ModelBridge>> CreateModel(ModelSpec spec, const BackendBridge* backend) override;
  void Publish(ModelBridge& model) override;
  void Retire(ModelBridge& model, bool keeps_sequences = false) override;
  Result<std::shared_ptr<CallBridge>> Submit(const CallOptions& options) override;
  Status CopyToHost(void* target, const void* source, size_t byte_size, MemoryPlace place) override;
  Result<std::shared_ptr<DeviceRegionBridge>> OpenDeviceRegion(int64_t ordinal, const std::string& handle,
                                                               uint64_t byte_size) {
    return DeviceRegion::Open(memory_, ordinal, handle, byte_size);
  }
  std::vector<std::shared_ptr<CallBridge>> Completed(uint64_t timeout_ns) override;
  EventPage ReadEvents(uint64_t since, size_t limit) override;
  std::vector<std::pair<std::string, int64_t>> ModelNames() override { return registry_.Names(); }
  std::vector<PoolStatus> Pools() override { return memory_->Pools(); }
  std::vector<PoolBlock> PoolBlocks(const std::string& pool) override { return memory_->Blocks(pool); }
  std::vector<std::string> TensorNames() override { return memory_->tensors().Names(); }
  size_t in_flight() const override;
  std::optional<CacheFigures> CacheStatistics() const override;
  std::string MetricsPage() override;
  void SetTrace(const std::string& model, const std::optional<TraceSettings>& settings) override {
    tracing_.Set(model, settings);
  }
  TracePage TakeTraces() override { return tracing_.Take(); }
  bool WaitForTraces(uint64_t timeout_ns) override { return tracing_.Wait(timeout_ns); }
  Result<std::unique_ptr<Target>> NewTarget(std::vector<CallOptions> samples,
                                            std::vector<PlannedRequest> plan) override;

 private:
  Engine(const EngineOptions& options, std::shared_ptr<ResponseCache> cache, std::unique_ptr<Timer> timer);
  Result<std::shared_ptr<BackendBridge>> OpenOrFind(const std::string& name, const std::string& path,
                                                    const std::string& config_json);
  Result<std::unique_ptr<ModelBridge>> NewModel(ModelSpec spec, const BackendBridge* backend);
  Result<std::vector<Buffer>> Stage(CallOptions* options);
  Result<std::shared_ptr<CallBridge>> Send(const CallOptions& options, std::vector<Buffer> copies);
  void FollowSequence(InferenceRequest* request);
  void StartTrace(InferenceRequest* request);
  EnsembleBuilder NewEnsembleBuilder();
  void FlushCache(const Model* gone);

  const EngineOptions options_;
  const SteadyClock clock_;
  const std::shared_ptr<EventLog> events_;           // shared with memory that outlives the engine
  const std::shared_ptr<HostMemory> memory_;         // shared with calls and answers
  const std::shared_ptr<CompletedCalls> completed_;  // shared with calls
  const std::unique_ptr<Timer> timer_;
  const std::unique_ptr<const Nvml> nvml_;  // null: no GPU is there, or nobody asks
  const std::vector<GpuReading> gpus_at_start_;
  const std::unique_ptr<const Nvtx> nvtx_;      // null: no profiler is there
  const std::shared_ptr<ResponseCache> cache_;  // with models; null: there is none
  const std::shared_ptr<RateLimitGate> gate_;   // with models; null: rates are not limited
  std::atomic<uint64_t> publications_{0};
  std::atomic<uint64_t> loads_{0};
  mutable ModelRegistry registry_;
  MachineMetrics machine_;
  Tracing tracing_;

  Mutex backends_mutex_;
  // By path. Held weakly: a backend is finalised once no model uses it.
  std::map<std::string, std::weak_ptr<Backend>> backends_ GUARDED_BY(backends_mutex_);
};

}  // namespace workbench
