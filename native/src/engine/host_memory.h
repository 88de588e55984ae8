// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HostMemory: the host memory of an engine, from which backends and answers are served. Shared by the engine and by
// every answer that is still held, which may outlive it.
#pragma once

#include <memory>
#include <vector>

#include "base/clock.h"
#include "engine/bridge.h"
#include "engine/host_allocator.h"
#include "events/event_log.h"
#include "memory/system_resource.h"

namespace workbench {

class HostMemory {
 public:
  HostMemory(uint64_t pool_byte_size, std::shared_ptr<EventLog> events);

  MemoryResource& resource() { return *system_; }
  ResponseAllocator& allocator() { return allocator_; }
  std::vector<PoolStatus> Pools() const;
  std::vector<PoolBlock> Blocks() const;

 private:
  const std::shared_ptr<EventLog> events_;  // shared with the engine; told of every block
  const SteadyClock clock_;
  const std::unique_ptr<SystemResource> system_;
  HostAllocator allocator_;
};

}  // namespace workbench
