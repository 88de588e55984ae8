// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HostMemory: the memory of an engine, from which backends and answers are served: a pool of host memory up
// to a limit, and beyond that memory straight from the machine, both up to a limit of the whole; and the
// pools of devices. Shared by the engine and by every answer that is still held, which may outlive it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/bridge.h"
#include "engine/device_pools.h"
#include "engine/host_allocator.h"
#include "engine/tensor_names.h"
#include "events/event_log.h"
#include "memory/fallback_resource.h"
#include "memory/limiting_resource.h"
#include "memory/memory_events.h"
#include "memory/memory_pools.h"
#include "memory/pool_resource.h"
#include "memory/system_resource.h"
#include "memory/tracking_resource.h"

namespace workbench {

class HostMemory final : public MemoryPools {
 public:
  struct Options {
    uint64_t pool_byte_size = 0;
    uint64_t limit_byte_size = 0;  // of pool and machine together; 0: none
    DevicePools::Options devices;  // strictness, growth and told sizes are the host pool's too
  };
  HostMemory(const Options& options, std::shared_ptr<EventLog> events);

  MemoryResource& resource() { return *resource_; }
  ResponseAllocator& allocator() { return allocator_; }
  // Gives outputs memory of a GPU where a backend wishes for it.
  ResponseAllocator& device_allocator() { return device_allocator_; }
  DevicePools& devices() { return devices_; }
  TensorNames& tensors() { return tensors_; }
  Result<MemoryResource*> PoolAt(MemoryPlace place) override;
  // The pools by their number in events.
  std::vector<PoolStatus> Pools() const;
  // Every block of the pool, with its owner. Empty for a name that is no pool's: the machine's memory has no
  // map.
  std::vector<PoolBlock> Blocks(const std::string& pool) const;

 private:
  const std::shared_ptr<EventLog> events_;  // shared with the engine; told of every block
  const SteadyClock clock_;
  const Options options_;
  MemoryEvents pool_events_;
  MemoryEvents system_events_;
  const std::unique_ptr<SystemResource> system_;
  const std::unique_ptr<LimitingResource> whole_;
  const std::unique_ptr<LimitingResource> limited_;
  const std::unique_ptr<PoolResource> pool_;
  const std::unique_ptr<TrackingResource> tracked_pool_;
  const std::unique_ptr<TrackingResource> tracked_system_;
  const std::unique_ptr<FallbackResource> fallback_;
  MemoryResource* const resource_;
  DevicePools devices_;
  HostAllocator allocator_;
  DeviceAllocator device_allocator_;
  TensorNames tensors_;
};

}  // namespace workbench
