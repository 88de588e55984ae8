// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The interfaces through which the extension module reaches the core, which exports no C++ class: one
// function, TRITONWORKBENCH_Bridge, hands out the Bridge. The module is built with the core and never without
// it, so plain structs of the floors cross as they are.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "engine/device_region_bridge.h"
#include "engine/engine_options.h"
#include "engine/server_options.h"
#include "engine/trace_record.h"
#include "events/event.h"
#include "inference/data_type.h"
#include "inference/in_flight_request.h"
#include "inference/inference_statistics.h"
#include "inference/model_signature.h"
#include "load/arrival.h"
#include "load/load_run.h"
#include "load/request_plan.h"
#include "memory/memory_resource.h"
#include "metrics/metric_snapshot.h"
#include "model/host_policies.h"
#include "model/model_latencies.h"
#include "model/warmup.h"
#include "scheduling/batch_policy.h"
#include "scheduling/ensemble_graph.h"
#include "scheduling/rate_limiter.h"
#include "scheduling/response_cache.h"
#include "scheduling/scheduler.h"
#include "sim/simulation_run.h"

namespace workbench {

constexpr uint32_t kBridgeVersion = 7;

// An instance group's entry, expanded.
struct InstanceSpec {
  std::string name;
  std::string kind = "CPU";  // CPU, GPU, MODEL
  int32_t device_id = 0;
  bool is_passive = false;
  std::string host_policy;
  std::vector<std::string> profiles;
  std::vector<std::pair<std::string, int64_t>> secondary_devices;  // kind and id
  RateLimit limit;
};

// All that the core is told of a model.
struct ModelSpec {
  ModelSignature signature;
  SchedulingOptions scheduling;
  std::vector<InstanceSpec> instances;
  std::string folder;
  std::string config_json;
  std::vector<double> first_response_buckets_ms;  // empty: the server's
  Labels metric_tags;          // further labels of its metrics, in the order of their names
  bool is_cached = false;      // answers may come out of the response cache
  std::string batch_strategy;  // path of a shared object; empty: the server's own rules make batches
  std::vector<WarmupSample> warmup;
  bool may_auto_complete = true;            // the backend may complete the configuration
  std::optional<EnsembleOptions> ensemble;  // of a model that is composed of others
};

struct TensorInput {
  std::string name;
  DataType type = DataType::kInvalid;
  std::vector<int64_t> shape;
  const void* base = nullptr;  // borrowed until the call is done
  size_t byte_size = 0;
  MemoryPlace place;
  uint64_t stream = 0;  // of a GPU, that may write it still; 0: none
};

struct TensorOutput {
  std::string name;
  DataType type = DataType::kInvalid;
  std::vector<int64_t> shape;
  const void* base = nullptr;
  size_t byte_size = 0;
  MemoryPlace place;
};

using ParameterValue = std::variant<bool, int64_t, double, std::string>;

struct CallOptions {
  std::string model;
  int64_t version = -1;
  std::vector<TensorInput> inputs;
  std::vector<std::string> outputs;  // empty: all
  std::string request_id;
  uint64_t priority = 0;
  uint64_t timeout_us = 0;
  uint64_t correlation_id = 0;
  std::string correlation_text;
  uint32_t flags = 0;
  std::vector<std::pair<std::string, ParameterValue>> parameters;
  bool is_queued = false;  // told of by EngineBridge::Completed
  bool has_device_inputs = false;
  bool wants_device_outputs = false;  // outputs may lie where the backend wishes
  CopyCounts copies{};                // that were made of the inputs already
};

// One answer; its tensors stay where they are for as long as it lives.
class ResponseBridge {
 public:
  virtual ~ResponseBridge() = default;
  virtual const Status& error() const = 0;
  virtual bool is_final() const = 0;
  virtual std::vector<TensorOutput> outputs() const = 0;
  virtual std::vector<std::pair<std::string, ParameterValue>> parameters() const = 0;
};

// One inference under way. Any thread.
class CallBridge {
 public:
  virtual ~CallBridge() = default;
  virtual uint64_t serial() const = 0;
  virtual const std::string& request_id() const = 0;
  // Until the final answer is there and the inputs are given back; false when that took longer.
  virtual bool Wait(uint64_t timeout_ns) = 0;
  virtual bool is_done() const = 0;
  virtual void Cancel() = 0;
  // The next answer; null: none came in time, or none will (is_exhausted).
  virtual std::shared_ptr<ResponseBridge> Take(uint64_t timeout_ns) = 0;
  virtual bool is_exhausted() const = 0;
};

struct PreferredGroup {
  std::string kind;    // AUTO, CPU, GPU, MODEL
  uint64_t count = 0;  // 0: the server decides
  std::vector<uint64_t> device_ids;
};

class BackendBridge {
 public:
  virtual ~BackendBridge() = default;
  virtual const std::string& name() const = 0;
  virtual const std::string& path() const = 0;
  // Instance groups for models that name none, in order of preference.
  virtual std::vector<PreferredGroup> preferred_groups() const = 0;
};

// A model's control. One thread at a time, save what only reads.
class ModelBridge {
 public:
  virtual ~ModelBridge() = default;  // closes what is not closed
  virtual const std::string& name() const = 0;
  virtual int64_t version() const = 0;
  virtual uint16_t number() const = 0;
  virtual Result<std::string> Initialize() = 0;  // the configuration, as the backend set it
  virtual Status Start(ModelSpec spec) = 0;
  virtual void Reconfigure(SchedulingOptions scheduling) = 0;
  // Other instances while requests are served; on failure they stay as they were.
  virtual Status UpdateInstances(std::vector<InstanceSpec> instances) = 0;
  virtual bool Drain(uint64_t timeout_ns) = 0;
  virtual Status Close() = 0;
  virtual StatisticsSnapshot statistics() const = 0;
  virtual size_t queue_length() const = 0;
  virtual std::vector<QueueLevel> queue_levels() const = 0;
  virtual size_t in_flight() const = 0;
  // Which they are, oldest first: for whoever waits for them too long.
  virtual std::vector<InFlightRequest> InFlightRequests() const = 0;
};

struct PoolStatus {
  std::string name;
  MemoryPlace place;
  uint64_t live_byte_size = 0;
  uint64_t reserved_byte_size = 0;
  uint64_t peak_byte_size = 0;
  uint64_t limit_byte_size = 0;  // 0: none
  uint64_t allocations = 0;
  uint64_t hits = 0;  // served without reserving anything; of a pool
  uint64_t failures = 0;
  uint64_t fallbacks = 0;
};

struct PoolBlock {
  uint64_t address = 0;
  uint64_t byte_size = 0;
  uint64_t slab = 0;      // address of what was reserved at once
  uint16_t model = 0;     // its number in events, 0: none
  uint16_t instance = 0;  // 1 + its index, 0: none
  uint16_t tensor = 0;    // number of its name, 0: none
  uint16_t is_free = 0;
};

struct EventPage {
  std::vector<Event> events;
  uint64_t next_since = 0;
  uint64_t dropped = 0;
};

class EngineBridge {
 public:
  virtual ~EngineBridge() = default;
  virtual const std::string& name() const = 0;
  // The server as the C interface hands it out; while the engine lives.
  virtual void* server_handle() = 0;
  virtual Result<std::shared_ptr<BackendBridge>> OpenBackend(const std::string& name, const std::string& path,
                                                             const std::string& config_json) = 0;
  // backend: null for an ensemble.
  virtual Result<std::unique_ptr<ModelBridge>> CreateModel(ModelSpec spec, const BackendBridge* backend) = 0;
  virtual void Publish(ModelBridge& model) = 0;
  // keeps_sequences: requests that go on a sequence are taken until it ends, or until Retire is called
  // without.
  virtual void Retire(ModelBridge& model, bool keeps_sequences = false) = 0;
  virtual Result<std::shared_ptr<CallBridge>> Submit(const CallOptions& options) = 0;
  // Copies bytes of a GPU's memory to the host's.
  virtual Status CopyToHost(void* target, const void* source, size_t byte_size, MemoryPlace place) = 0;
  // Queued calls that are done; waits for the first of them.
  virtual std::vector<std::shared_ptr<CallBridge>> Completed(uint64_t timeout_ns) = 0;
  virtual EventPage ReadEvents(uint64_t since, size_t limit) = 0;
  virtual std::vector<std::pair<std::string, int64_t>> ModelNames() = 0;
  virtual std::vector<PoolStatus> Pools() = 0;
  virtual std::vector<PoolBlock> PoolBlocks(const std::string& pool) = 0;
  // By number; the first is nobody's.
  virtual std::vector<std::string> TensorNames() = 0;
  virtual size_t in_flight() const = 0;
  // None where there is no response cache.
  virtual std::optional<CacheFigures> CacheStatistics() const = 0;
  // Traces requests of a model, or of every model that has no settings of its own (""); none: no settings.
  virtual void SetTrace(const std::string& model, const std::optional<TraceSettings>& settings) = 0;
  // Traces that ended since the last call.
  virtual TracePage TakeTraces() = 0;
  // Until there are such; false when that took longer.
  virtual bool WaitForTraces(uint64_t timeout_ns) = 0;
  // The metrics page, as Prometheus reads it.
  virtual std::string MetricsPage() = 0;
  // Sends load to models of the engine: of the samples, each with its own model, those that the plan names.
  virtual Result<std::unique_ptr<Target>> NewTarget(std::vector<CallOptions> samples,
                                                    std::vector<PlannedRequest> plan) = 0;
};

// The control plane of the C interface: what TRITONSERVER_ServerNew and kin ask of whoever manages models.
class ControlPlane {
 public:
  virtual ~ControlPlane() = default;
  virtual Result<EngineBridge*> NewServer(const ServerOptions& options) = 0;
  virtual Status DeleteServer(EngineBridge* engine) = 0;
  virtual Status StopServer(EngineBridge* engine) = 0;
  virtual Status SetExitTimeout(EngineBridge* engine, unsigned seconds) = 0;
  // folders: below path, by the names of the models in them, where these are others than the folders'.
  virtual Status RegisterRepository(EngineBridge* engine, const std::string& path,
                                    const std::map<std::string, std::string>& folders) = 0;
  virtual Status UnregisterRepository(EngineBridge* engine, const std::string& path) = 0;
  virtual Status PollRepositories(EngineBridge* engine) = 0;
  virtual Status LoadModelWith(EngineBridge* engine, const std::string& name,
                               const LoadOverride& override) = 0;
  virtual Status LoadModel(EngineBridge* engine, const std::string& name) = 0;
  virtual Status UnloadModel(EngineBridge* engine, const std::string& name, bool with_dependents) = 0;
  // JSON texts as the real server gives them. topic: "index", "ready_index", "server_metadata",
  // "model_metadata", "model_config", "model_statistics", "server_live", "server_ready".
  virtual Result<std::string> Describe(EngineBridge* engine, const std::string& topic,
                                       const std::string& model, int64_t version) = 0;
};

struct Bridge {
  uint32_t version;
  Result<std::unique_ptr<EngineBridge>> (*new_engine)(const EngineOptions& options);
  // Null: there is none any more.
  void (*set_control_plane)(std::shared_ptr<ControlPlane> control_plane);
  Result<std::unique_ptr<LoadRun>> (*start_load)(LoadOptions options, std::unique_ptr<Target> target);
  Result<std::vector<int64_t>> (*draw_arrivals)(const ArrivalOptions& options);
  // From now on a crash inside a backend's execution writes a report to that path.
  Status (*install_crash_report)(const std::string& path);
  // The process's log. Attached: Python reads it; else it goes to standard error.
  void (*attach_log)(bool is_attached);
  Log::Page (*take_log)(uint64_t timeout_ns);
  LogSettings (*log_settings)();
  Status (*set_log_settings)(const LogSettings& settings);
  // What a model declares. The handle is EngineBridge::server_handle's.
  Result<ModelSignature> (*signature_of)(void* server_handle, const std::string& model, int64_t version);
  // Whether requests of that server may be traced. The handle is EngineBridge::server_handle's.
  bool (*is_tracing)(void* server_handle);
  // The trace of a request that is to be sent; null where it is not its turn, unless it is wanted. The
  // request's handle is TRITONSERVER_InferenceRequest's.
  std::shared_ptr<TraceBridge> (*begin_trace)(void* server_handle, void* request, bool is_wanted);
  // Whether the model that a request is for takes tensors in a GPU's memory.
  bool (*runs_on_gpu)(void* request);
  // Memory of a GPU that another process shares; handle: the bytes of a CUipcMemHandle. INVALID_ARG where
  // there is no such GPU or the handle stands for less, INTERNAL where the driver refuses it.
  Result<std::shared_ptr<DeviceRegionBridge>> (*open_device_region)(void* server_handle, int64_t ordinal,
                                                                    const std::string& handle,
                                                                    uint64_t byte_size);
  // What backends count by metrics of their own, in this process.
  std::vector<FamilySnapshot> (*custom_metrics)();
  // In a child of fork, nothing of the core works.
  bool (*is_forked)();
  // Schedules that the cells name outlive the run.
  Result<std::unique_ptr<SimulationRun>> (*start_simulations)(std::vector<SimulationOptions> cells,
                                                              uint32_t thread_count);
  // How many doors look for work instead of sleeping; each counts itself.
  std::atomic<int>* polling_doors;
};

}  // namespace workbench

// Null when the versions differ: module and core are of different builds.
extern "C" __attribute__((visibility("default"))) const workbench::Bridge* TRITONWORKBENCH_Bridge(
    uint32_t version);
