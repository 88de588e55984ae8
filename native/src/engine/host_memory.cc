// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/host_memory.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace workbench {
namespace {

constexpr uint8_t kPoolNumber = 0;
constexpr uint8_t kSystemNumber = 1;
constexpr const char* kPoolName = "host pool";
constexpr const char* kSystemName = "host";

uint64_t WholeOf(const HostMemory::Options& options) {
  return options.limit_byte_size != 0 ? options.limit_byte_size : SIZE_MAX;
}

}  // namespace

HostMemory::HostMemory(const Options& options, std::shared_ptr<EventLog> events)
    : events_(std::move(events)),
      pool_events_(kPoolNumber, *events_, clock_),
      system_events_(kSystemNumber, *events_, clock_),
      options_(options),
      system_(SystemResource::Create()),
      whole_(LimitingResource::Create({WholeOf(options)}, *system_)),
      limited_(LimitingResource::Create({std::min(options.pool_byte_size, WholeOf(options))}, *whole_)),
      pool_(PoolResource::Create({}, *limited_, pool_events_)),
      tracked_pool_(TrackingResource::Create(*pool_, pool_events_)),
      tracked_system_(TrackingResource::Create(*whole_, system_events_)),
      fallback_(FallbackResource::Create(*tracked_pool_, *tracked_system_, pool_events_)),
      allocator_(*fallback_) {}

std::vector<PoolStatus> HostMemory::Pools() const {
  const PoolResource::Statistics pool = pool_->statistics();
  PoolStatus pooled;
  pooled.name = kPoolName;
  pooled.live_byte_size = pool.live_byte_size;
  pooled.reserved_byte_size = pool.reserved_byte_size;
  pooled.peak_byte_size = pool.peak_live_byte_size;
  pooled.limit_byte_size = limited_->limit_byte_size();
  pooled.allocations = pool.allocations;
  pooled.failures = pool.failures;
  pooled.fallbacks = fallback_->fallbacks();
  const TrackingResource::Statistics system = tracked_system_->statistics();
  PoolStatus direct;
  direct.name = kSystemName;
  direct.live_byte_size = system.live_byte_size;
  direct.reserved_byte_size = system.live_byte_size;
  direct.peak_byte_size = system.peak_byte_size;
  direct.limit_byte_size = options_.limit_byte_size;
  direct.allocations = system.allocations;
  direct.failures = system.failures;
  return {std::move(pooled), std::move(direct)};
}

std::vector<PoolBlock> HostMemory::Blocks(const std::string& pool) const {
  std::vector<PoolBlock> rows;
  if (pool != kPoolName) return rows;
  std::vector<MemoryBlock> blocks = pool_->Blocks();
  tracked_pool_->FillOwners(&blocks);
  rows.reserve(blocks.size());
  for (const MemoryBlock& block : blocks) {
    rows.push_back({block.address, block.byte_size, block.owner, block.is_free ? 1u : 0u});
  }
  return rows;
}

}  // namespace workbench
