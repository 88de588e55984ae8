// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/host_memory.h"

#include <utility>

namespace workbench {

HostMemory::HostMemory(uint64_t pool_byte_size, std::shared_ptr<EventLog> events)
    : events_(std::move(events)), system_(SystemResource::Create()), allocator_(*system_) {}

std::vector<PoolStatus> HostMemory::Pools() const { return {}; }

std::vector<PoolBlock> HostMemory::Blocks() const { return {}; }

}  // namespace workbench
