// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The options of a server: kept until TRITONSERVER_ServerNew hands them to the control plane. Those of the
// log are in log.cc and act at once, since the log is the process's.
#include "engine/server_options.h"

#include <algorithm>

#include "capi/enum_number.h"
#include "capi/error.h"

namespace workbench {
namespace {

ServerOptions& Unwrap(TRITONSERVER_ServerOptions* options) { return *FromHandle<ServerOptions>(options); }

template <typename Field, typename Value>
TRITONSERVER_Error* Set(TRITONSERVER_ServerOptions* options, Field ServerOptions::*field,
                        const Value& value) {
  return Guard([&] {
    Unwrap(options).*field = value;
    return OkStatus();
  });
}

template <typename Value>
TRITONSERVER_Error* Append(TRITONSERVER_ServerOptions* options, std::vector<Value> ServerOptions::*field,
                           Value value) {
  return Guard([&] {
    (Unwrap(options).*field).push_back(std::move(value));
    return OkStatus();
  });
}

Status CheckHostPolicy(const std::string& setting) {
  if (setting == "numa-node" || setting == "cpu-cores") return OkStatus();
  return UnsupportedError("a host policy has 'numa-node' and 'cpu-cores', no '" + setting + "'");
}

Status CheckDeviceLimit(TRITONSERVER_InstanceGroupKind kind, int device_id, double fraction) {
  if (device_id < 0) return InvalidArgumentError("there is no device " + std::to_string(device_id));
  if (!(fraction >= 0.0 && fraction <= 1.0))
    return InvalidArgumentError("a limit is a share between 0 and 1, got " + std::to_string(fraction));
  if (kind == TRITONSERVER_INSTANCEGROUPKIND_GPU) return OkStatus();
  return InvalidArgumentError("only GPUs have a limit for loads");
}

// Of a resource that is named twice, the smaller count holds.
void AddResource(const RateLimiterResource& resource, std::vector<RateLimiterResource>* resources) {
  const auto is_same = [&](const RateLimiterResource& other) {
    return other.name == resource.name && other.device == resource.device;
  };
  const auto known = std::find_if(resources->begin(), resources->end(), is_same);
  if (known == resources->end()) return resources->push_back(resource);
  known->count = std::min(known->count, resource.count);
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_ServerOptionsNew(TRITONSERVER_ServerOptions** options) {
  return Guard([&] {
    *options = ToHandle<TRITONSERVER_ServerOptions>(new ServerOptions());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsDelete(TRITONSERVER_ServerOptions* options) {
  return Guard([&] {
    delete &Unwrap(options);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetServerId(TRITONSERVER_ServerOptions* options,
                                                          const char* server_id) {
  return Set(options, &ServerOptions::server_id, server_id);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetModelRepositoryPath(TRITONSERVER_ServerOptions* options,
                                                                     const char* model_repository_path) {
  return Append(options, &ServerOptions::repositories, std::string(model_repository_path));
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetModelControlMode(TRITONSERVER_ServerOptions* options,
                                                                  TRITONSERVER_ModelControlMode mode) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckEnum("control mode", mode, TRITONSERVER_MODEL_CONTROL_EXPLICIT));
    Unwrap(options).control_mode = mode;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetStartupModel(TRITONSERVER_ServerOptions* options,
                                                              const char* model_name) {
  return Append(options, &ServerOptions::startup_models, std::string(model_name));
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetStrictModelConfig(TRITONSERVER_ServerOptions* options,
                                                                   bool strict) {
  return Set(options, &ServerOptions::is_strict, strict);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetModelConfigName(TRITONSERVER_ServerOptions* options,
                                                                 const char* model_config_name) {
  return Set(options, &ServerOptions::model_config_name, model_config_name);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetRateLimiterMode(TRITONSERVER_ServerOptions* options,
                                                                 TRITONSERVER_RateLimitMode mode) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckEnum("rate limiter mode", mode, TRITONSERVER_RATE_LIMIT_EXEC_COUNT));
    Unwrap(options).rate_limit_mode = mode;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsAddRateLimiterResource(TRITONSERVER_ServerOptions* options,
                                                                     const char* resource_name,
                                                                     const size_t resource_count,
                                                                     const int device) {
  return Guard([&] {
    AddResource({resource_name, resource_count, device}, &Unwrap(options).rate_limiter_resources);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetPinnedMemoryPoolByteSize(TRITONSERVER_ServerOptions* options,
                                                                          uint64_t size) {
  return Set(options, &ServerOptions::pinned_memory_pool_byte_size, size);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetCudaMemoryPoolByteSize(TRITONSERVER_ServerOptions* options,
                                                                        int gpu_device, uint64_t size) {
  return Guard([&] {
    Unwrap(options).cuda_memory_pool_byte_sizes[gpu_device] = size;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetCudaVirtualAddressSize(TRITONSERVER_ServerOptions* options,
                                                                        int gpu_device,
                                                                        size_t cuda_virtual_address_size) {
  return Guard([&] {
    Unwrap(options).cuda_virtual_address_sizes[gpu_device] = cuda_virtual_address_size;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetResponseCacheByteSize(TRITONSERVER_ServerOptions* options,
                                                                       uint64_t size) {
  if (size == 0) return nullptr;
  const std::string config = "{\"size\": " + std::to_string(size) + "}";
  return TRITONSERVER_ServerOptionsSetCacheConfig(options, "local", config.c_str());
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetCacheConfig(TRITONSERVER_ServerOptions* options,
                                                             const char* cache_name,
                                                             const char* config_json) {
  return Append(options, &ServerOptions::cache_configs, {std::string(cache_name), std::string(config_json)});
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetCacheDirectory(TRITONSERVER_ServerOptions* options,
                                                                const char* cache_dir) {
  return Set(options, &ServerOptions::cache_directory, cache_dir);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetMinSupportedComputeCapability(
    TRITONSERVER_ServerOptions* options, double cc) {
  return Set(options, &ServerOptions::min_compute_capability, cc);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetExitOnError(TRITONSERVER_ServerOptions* options, bool exit) {
  return Set(options, &ServerOptions::exit_on_error, exit);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetStrictReadiness(TRITONSERVER_ServerOptions* options,
                                                                 bool strict) {
  return Set(options, &ServerOptions::strict_readiness, strict);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetExitTimeout(TRITONSERVER_ServerOptions* options,
                                                             unsigned int timeout) {
  return Set(options, &ServerOptions::exit_timeout_s, timeout);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetBufferManagerThreadCount(TRITONSERVER_ServerOptions* options,
                                                                          unsigned int thread_count) {
  return Set(options, &ServerOptions::buffer_manager_thread_count, thread_count);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetModelLoadThreadCount(TRITONSERVER_ServerOptions* options,
                                                                      unsigned int thread_count) {
  return Set(options, &ServerOptions::model_load_thread_count, thread_count);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetModelLoadRetryCount(TRITONSERVER_ServerOptions* options,
                                                                     unsigned int retry_count) {
  return Set(options, &ServerOptions::model_load_retry_count, retry_count);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetModelNamespacing(TRITONSERVER_ServerOptions* options,
                                                                  bool enable_namespace) {
  return Set(options, &ServerOptions::model_namespacing, enable_namespace);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetEnablePeerAccess(TRITONSERVER_ServerOptions* options,
                                                                  bool enable_peer_access) {
  return Set(options, &ServerOptions::enable_peer_access, enable_peer_access);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetMetrics(TRITONSERVER_ServerOptions* options, bool metrics) {
  return Set(options, &ServerOptions::metrics, metrics);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetGpuMetrics(TRITONSERVER_ServerOptions* options,
                                                            bool gpu_metrics) {
  return Set(options, &ServerOptions::gpu_metrics, gpu_metrics);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetCpuMetrics(TRITONSERVER_ServerOptions* options,
                                                            bool cpu_metrics) {
  return Set(options, &ServerOptions::cpu_metrics, cpu_metrics);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetMetricsInterval(TRITONSERVER_ServerOptions* options,
                                                                 uint64_t metrics_interval_ms) {
  return Set(options, &ServerOptions::metrics_interval_ms, metrics_interval_ms);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetBackendDirectory(TRITONSERVER_ServerOptions* options,
                                                                  const char* backend_dir) {
  return Set(options, &ServerOptions::backend_directory, backend_dir);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetRepoAgentDirectory(TRITONSERVER_ServerOptions* options,
                                                                    const char* repoagent_dir) {
  return Set(options, &ServerOptions::repo_agent_directory, repoagent_dir);
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetModelLoadDeviceLimit(
    TRITONSERVER_ServerOptions* options, const TRITONSERVER_InstanceGroupKind kind, const int device_id,
    const double fraction) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckDeviceLimit(kind, device_id, fraction));
    const std::string setting = "model-load-gpu-limit-device-" + std::to_string(device_id);
    Unwrap(options).backend_settings.push_back({"", setting, std::to_string(fraction)});
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetBackendConfig(TRITONSERVER_ServerOptions* options,
                                                               const char* backend_name, const char* setting,
                                                               const char* value) {
  return Append(options, &ServerOptions::backend_settings, {backend_name, setting, value});
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetHostPolicy(TRITONSERVER_ServerOptions* options,
                                                            const char* policy_name, const char* setting,
                                                            const char* value) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckHostPolicy(setting));
    Unwrap(options).host_policy_settings.push_back({policy_name, setting, value});
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetMetricsConfig(TRITONSERVER_ServerOptions* options,
                                                               const char* name, const char* setting,
                                                               const char* value) {
  return Append(options, &ServerOptions::metrics_settings, {name, setting, value});
}

}  // extern "C"
