// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HostMemory: the host memory of an engine, from which backends and answers are served: a pool up to a limit,
// and beyond that memory straight from the machine, both up to a limit of the whole. Shared by the engine and
// by every answer that is still held, which may outlive it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/bridge.h"
#include "engine/host_allocator.h"
#include "events/event_log.h"
#include "memory/fallback_resource.h"
#include "memory/limiting_resource.h"
#include "memory/memory_events.h"
#include "memory/pool_resource.h"
#include "memory/system_resource.h"
#include "memory/tracking_resource.h"

namespace workbench {

class HostMemory {
 public:
  struct Options {
    uint64_t pool_byte_size = 0;
    uint64_t limit_byte_size = 0;  // of pool and machine together; 0: none
  };
  HostMemory(const Options& options, std::shared_ptr<EventLog> events);

  MemoryResource& resource() { return *fallback_; }
  ResponseAllocator& allocator() { return allocator_; }
  // The pools by their number in events.
  std::vector<PoolStatus> Pools() const;
  // Every block of the pool, with its owner. Empty for a name that is no pool's: the machine's memory has no
  // map.
  std::vector<PoolBlock> Blocks(const std::string& pool) const;

 private:
  const std::shared_ptr<EventLog> events_;  // shared with the engine; told of every block
  const SteadyClock clock_;
  MemoryEvents pool_events_;
  MemoryEvents system_events_;
  const Options options_;
  const std::unique_ptr<SystemResource> system_;
  const std::unique_ptr<LimitingResource> whole_;
  const std::unique_ptr<LimitingResource> limited_;
  const std::unique_ptr<PoolResource> pool_;
  const std::unique_ptr<TrackingResource> tracked_pool_;
  const std::unique_ptr<TrackingResource> tracked_system_;
  const std::unique_ptr<FallbackResource> fallback_;
  HostAllocator allocator_;
};

}  // namespace workbench
