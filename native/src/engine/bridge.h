// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The interfaces through which the extension module reaches the core, which exports no C++ class: one
// function, TRITONWORKBENCH_Bridge, hands out the Bridge. The module is built with the core and never without
// it, so plain structs of the floors cross as they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "events/event.h"
#include "inference/data_type.h"
#include "inference/inference_statistics.h"
#include "inference/model_signature.h"
#include "load/arrival.h"
#include "load/load_run.h"
#include "scheduling/batch_policy.h"
#include "scheduling/scheduler.h"

namespace workbench {

constexpr uint32_t kBridgeVersion = 1;

// An instance group's entry, expanded.
struct InstanceSpec {
  std::string name;
  std::string kind = "CPU";  // CPU, GPU, MODEL
  int32_t device_id = 0;
  bool is_passive = false;
  std::string host_policy;
};

// All that the core is told of a model.
struct ModelSpec {
  ModelSignature signature;
  SchedulingOptions scheduling;
  std::vector<InstanceSpec> instances;
  std::string folder;
  std::string config_json;
};

struct TensorInput {
  std::string name;
  DataType type = DataType::kInvalid;
  std::vector<int64_t> shape;
  const void* base = nullptr;  // borrowed until the call is done
  size_t byte_size = 0;
};

struct TensorOutput {
  std::string name;
  DataType type = DataType::kInvalid;
  std::vector<int64_t> shape;
  const void* base = nullptr;
  size_t byte_size = 0;
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

class BackendBridge {
 public:
  virtual ~BackendBridge() = default;
  virtual const std::string& name() const = 0;
  virtual const std::string& path() const = 0;
};

// A model's control. One thread at a time, save what only reads.
class ModelBridge {
 public:
  virtual ~ModelBridge() = default;  // closes what is not closed
  virtual const std::string& name() const = 0;
  virtual int64_t version() const = 0;
  virtual uint16_t number() const = 0;
  virtual Result<std::string> Initialize() = 0;  // the configuration, completed by the backend
  virtual Status Start(ModelSpec spec) = 0;
  virtual void Reconfigure(SchedulingOptions scheduling) = 0;
  virtual bool Drain(uint64_t timeout_ns) = 0;
  virtual Status Close() = 0;
  virtual StatisticsSnapshot statistics() const = 0;
  virtual size_t queue_length() const = 0;
  virtual size_t in_flight() const = 0;
};

struct PoolStatus {
  std::string name;
  uint64_t live_byte_size = 0;
  uint64_t reserved_byte_size = 0;
  uint64_t peak_byte_size = 0;
  uint64_t limit_byte_size = 0;  // 0: none
  uint64_t allocations = 0;
  uint64_t failures = 0;
  uint64_t fallbacks = 0;
};

struct PoolBlock {
  uint64_t address = 0;
  uint64_t byte_size = 0;
  uint32_t owner = 0;  // number of the model in events, 0: none
  uint32_t is_free = 0;
};

struct EventPage {
  std::vector<Event> events;
  uint64_t next_since = 0;
  uint64_t dropped = 0;
};

struct EngineOptions {
  std::string name = "default";
  uint64_t pool_byte_size = 256ull << 20;
  uint64_t event_byte_size = 64ull << 20;
};

class EngineBridge {
 public:
  virtual ~EngineBridge() = default;
  virtual const std::string& name() const = 0;
  virtual Result<std::shared_ptr<BackendBridge>> OpenBackend(const std::string& name, const std::string& path,
                                                             const std::string& config_json) = 0;
  virtual Result<std::unique_ptr<ModelBridge>> CreateModel(ModelSpec spec, const BackendBridge& backend) = 0;
  virtual void Publish(ModelBridge& model) = 0;
  virtual void Retire(ModelBridge& model) = 0;
  virtual Result<std::shared_ptr<CallBridge>> Submit(const CallOptions& options) = 0;
  // Queued calls that are done; waits for the first of them.
  virtual std::vector<std::shared_ptr<CallBridge>> Completed(uint64_t timeout_ns) = 0;
  virtual EventPage ReadEvents(uint64_t since, size_t limit) = 0;
  virtual std::vector<std::pair<std::string, int64_t>> ModelNames() = 0;
  virtual std::vector<PoolStatus> Pools() = 0;
  virtual std::vector<PoolBlock> PoolBlocks(const std::string& pool) = 0;
  virtual size_t in_flight() const = 0;
  // Sends load to a model of the engine.
  virtual Result<std::unique_ptr<Target>> NewTarget(const CallOptions& request) = 0;
};

// The control plane of the C interface: what TRITONSERVER_ServerNew and kin ask of whoever manages models.
struct ServerOptions {
  std::vector<std::string> repositories;
  std::string backend_directory;
  std::vector<std::string> startup_models;
  std::string server_id = "triton";
  int control_mode = 0;    // TRITONSERVER_ModelControlMode
  bool is_strict = false;  // no completion of configurations
  unsigned exit_timeout_s = 30;
};

class ControlPlane {
 public:
  virtual ~ControlPlane() = default;
  virtual Result<EngineBridge*> NewServer(const ServerOptions& options) = 0;
  virtual Status DeleteServer(EngineBridge* engine) = 0;
  virtual Status LoadModel(EngineBridge* engine, const std::string& name) = 0;
  virtual Status UnloadModel(EngineBridge* engine, const std::string& name, bool with_dependents) = 0;
  // JSON texts as the real server gives them. topic: "index", "ready_index", "server_metadata",
  // "model_metadata", "model_config", "model_statistics".
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
  // In a child of fork, nothing of the core works.
  bool (*is_forked)();
};

}  // namespace workbench

// Null when the versions differ: module and core are of different builds.
extern "C" __attribute__((visibility("default"))) const workbench::Bridge* TRITONWORKBENCH_Bridge(
    uint32_t version);
