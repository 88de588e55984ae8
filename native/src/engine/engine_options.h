// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// How an engine is made. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/host_policies.h"
#include "model/model_latencies.h"
#include "scheduling/rate_limiter.h"

namespace workbench {

// What a server's metrics page tells beside counters.
struct MetricsOptions {
  bool is_on = true;
  bool has_counter_latencies = true;
  LatencyOptions latencies;
  bool has_machine = true;  // of processors and memory
  bool has_gpus = true;
};

// A response cache in a shared object.
struct CacheLibrary {
  std::string path;
  std::string config_json;
};

struct EngineOptions {
  std::string name = "default";
  uint64_t pool_byte_size = 256ull << 20;
  uint64_t event_byte_size = 64ull << 20;  // 0: nothing is recorded
  MetricsOptions metrics;
  HostPolicies host_policies;
  uint64_t cache_byte_size = 0;                           // of the response cache; 0: none
  std::optional<std::vector<ResourceLimit>> rate_limits;  // none: rates are not limited
  std::optional<CacheLibrary> cache_library;              // takes the place of the core's own cache
  uint64_t memory_limit_byte_size = 0;                    // of the host memory, the cache's included; 0: none
  uint64_t pinned_memory_pool_byte_size = 256ull << 20;
  std::map<int, uint64_t> cuda_memory_pool_byte_sizes;  // by device; 64 MiB where none is told
  uint64_t pool_growth_byte_size = 64ull << 20;         // most that a pool reserves at once
  uint64_t memory_event_byte_size = 0;                  // smaller allocations are not told one by one
  bool has_strict_memory = false;  // what a pool does not have is an error, not other memory
  std::string cuda_driver;         // path of the driver library; empty: the machine's own
};

}  // namespace workbench
