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

MemoryEvents::Options EventsOf(const HostMemory::Options& options, const char* name) {
  return {name, options.devices.event_byte_size};
}

PoolResource::Options GrowingBy(uint64_t byte_size) {
  PoolResource::Options options;
  if (byte_size == 0) return options;
  options.max_slab_byte_size = byte_size;
  options.first_slab_byte_size = std::min(options.first_slab_byte_size, options.max_slab_byte_size);
  return options;
}

}  // namespace

HostMemory::HostMemory(const Options& options, std::shared_ptr<EventLog> events)
    : events_(std::move(events)),
      options_(options),
      pool_events_(kPoolNumber, *events_, clock_, EventsOf(options, kPoolName)),
      system_events_(kSystemNumber, *events_, clock_, EventsOf(options, "")),
      system_(SystemResource::Create()),
      whole_(LimitingResource::Create({WholeOf(options)}, *system_)),
      limited_(
          LimitingResource::Create({std::min(options.pool_byte_size, WholeOf(options)), kPoolName}, *whole_)),
      pool_(PoolResource::Create(GrowingBy(options.devices.growth_byte_size), *limited_, pool_events_)),
      tracked_pool_(TrackingResource::Create(*pool_, pool_events_)),
      tracked_system_(TrackingResource::Create(*whole_, system_events_)),
      fallback_(FallbackResource::Create(*tracked_pool_, *tracked_system_, pool_events_)),
      resource_(options.devices.is_strict ? static_cast<MemoryResource*>(tracked_pool_.get())
                                          : fallback_.get()),
      devices_(options.devices, *resource_, *events_, clock_),
      allocator_(*resource_, devices_),
      device_allocator_(*resource_, devices_) {}

Result<MemoryResource*> HostMemory::PoolAt(MemoryPlace place) {
  if (place.type == MemoryType::kCpu) return resource_;
  return devices_.PoolAt(place);
}

std::vector<PoolStatus> HostMemory::Pools() const {
  const PoolResource::Statistics pool = pool_->statistics();
  PoolStatus pooled;
  pooled.name = kPoolName;
  pooled.live_byte_size = pool.live_byte_size;
  pooled.reserved_byte_size = pool.reserved_byte_size;
  pooled.peak_byte_size = pool.peak_live_byte_size;
  pooled.limit_byte_size = limited_->limit_byte_size();
  pooled.allocations = pool.allocations;
  pooled.hits = pool.hits;
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
  std::vector<PoolStatus> pools{std::move(pooled), std::move(direct)};
  for (PoolStatus& row : devices_.Pools()) pools.push_back(std::move(row));
  return pools;
}

std::vector<PoolBlock> HostMemory::Blocks(const std::string& pool) const {
  std::vector<MemoryBlock> blocks = pool == kPoolName ? pool_->Blocks() : devices_.Blocks(pool);
  if (pool == kPoolName) tracked_pool_->FillOwners(&blocks);
  std::vector<PoolBlock> rows;
  rows.reserve(blocks.size());
  for (const MemoryBlock& block : blocks) {
    const uint16_t is_free = block.is_free ? 1 : 0;
    const MemoryTag& owner = block.owner;
    rows.push_back(
        {block.address, block.byte_size, block.slab, owner.model, owner.instance, owner.tensor, is_free});
  }
  return rows;
}

}  // namespace workbench
