// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the C interface's callers say of a server before it is made: TRITONSERVER_ServerOptions. Plain values,
// handed to the control plane as they are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace workbench {

// One setting of something named: a backend, a host policy, a group of metrics.
struct NamedSetting {
  std::string name;
  std::string setting;
  std::string value;
};

struct RateLimiterResource {
  std::string name;
  uint64_t count = 0;
  int device = -1;  // -1: on each device
};

struct ServerOptions {
  std::vector<std::string> repositories;
  std::string backend_directory;
  std::vector<std::string> startup_models;
  std::string server_id = "triton";
  int control_mode = 0;    // TRITONSERVER_ModelControlMode
  bool is_strict = false;  // no completion of configurations
  unsigned exit_timeout_s = 30;
  bool exit_on_error = true;
  bool strict_readiness = true;
  std::string model_config_name;

  int rate_limit_mode = 0;  // TRITONSERVER_RateLimitMode
  std::vector<RateLimiterResource> rate_limiter_resources;
  std::vector<std::pair<std::string, std::string>> cache_configs;  // name and JSON
  std::string cache_directory;
  std::string repo_agent_directory;
  std::vector<NamedSetting> backend_settings;  // of an empty name: for all backends
  std::vector<NamedSetting> host_policy_settings;

  uint64_t pinned_memory_pool_byte_size = 256ull << 20;
  std::map<int, uint64_t> cuda_memory_pool_byte_sizes;  // by device
  std::map<int, uint64_t> cuda_virtual_address_sizes;
  double min_compute_capability = 0;
  bool enable_peer_access = true;
  unsigned buffer_manager_thread_count = 0;
  unsigned model_load_thread_count = 4;
  unsigned model_load_retry_count = 0;
  bool model_namespacing = false;

  bool metrics = true;
  bool gpu_metrics = true;
  bool cpu_metrics = true;
  uint64_t metrics_interval_ms = 2000;
  std::vector<NamedSetting> metrics_settings;
};

// What takes the place of a model's files for one load.
struct LoadOverride {
  bool has_config = false;
  std::string config_json;
  std::vector<std::pair<std::string, std::string>> files;  // path within the model's folder, and bytes
};

}  // namespace workbench
