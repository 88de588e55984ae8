// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device_pools.h"

#include <algorithm>
#include <utility>

#include "memory/device_resource.h"

namespace workbench {
namespace {

constexpr size_t kCudaAlignment = 256;

PoolResource::Options GrowingBy(uint64_t growth_byte_size) {
  PoolResource::Options options;
  if (growth_byte_size == 0) return options;
  options.max_slab_byte_size = growth_byte_size;
  options.first_slab_byte_size = std::min(options.first_slab_byte_size, options.max_slab_byte_size);
  return options;
}

}  // namespace

// Its parts, each around the one before; all but the first borrow.
struct DevicePools::Pool {
  std::string name;
  std::unique_ptr<MemoryResource> source;
  std::unique_ptr<MemoryEvents> events;
  std::unique_ptr<LimitingResource> limited;
  std::unique_ptr<PoolResource> pool;
  std::unique_ptr<TrackingResource> tracked;
  std::unique_ptr<FallbackResource> generous;
};

DevicePools::DevicePools(const Options& options, MemoryResource& pageable, EventSink& events,
                         const Clock& clock)
    : options_(options), pageable_(pageable), events_(events), clock_(clock) {}

// Devices' pools fall back to the page-locked one, which goes last.
DevicePools::~DevicePools() {
  MutexLock lock(&mutex_);
  while (!pools_.empty()) pools_.pop_back();
}

std::unique_ptr<DevicePools::Pool> DevicePools::NewPool(std::string name,
                                                        std::unique_ptr<MemoryResource> source,
                                                        uint64_t byte_size, MemoryResource& fallback,
                                                        PoolResource::Options options) {
  auto pool = std::make_unique<Pool>();
  pool->name = std::move(name);
  pool->source = std::move(source);
  const auto number = static_cast<uint8_t>(kFirstNumber + std::max<int64_t>(pool->source->place().id, 0) +
                                           (pool->source->place().type == MemoryType::kGpu ? 1 : 0));
  pool->events = std::make_unique<MemoryEvents>(number, events_, clock_,
                                                MemoryEvents::Options{pool->name, options_.event_byte_size});
  pool->limited = LimitingResource::Create({byte_size, pool->name.c_str()}, *pool->source);
  pool->pool = PoolResource::Create(options, *pool->limited, *pool->events);
  pool->tracked = TrackingResource::Create(*pool->pool, *pool->events);
  pool->generous = FallbackResource::Create(*pool->tracked, fallback, *pool->events);
  return pool;
}

Status DevicePools::Open() {
  if (is_tried_) return refusal_;
  is_tried_ = true;
  auto opened = CudaDriver::Open(options_.driver);
  refusal_ = opened.status();
  if (!opened.ok()) return refusal_;
  driver_ = std::move(opened).value();
  const PoolResource::Options growing = GrowingBy(options_.growth_byte_size);
  pools_.push_back(NewPool("pinned pool", std::make_unique<PinnedResource>(driver_),
                           options_.pinned_byte_size, pageable_, growing));
  for (int device = 0; device < driver_->device_count(); ++device) {
    PoolResource::Options options = growing;
    options.alignment = options.slab_alignment = kCudaAlignment;
    const auto told = options_.cuda_byte_sizes.find(device);
    pools_.push_back(NewPool("GPU " + std::to_string(device) + " pool",
                             std::make_unique<DeviceResource>(driver_, device),
                             told != options_.cuda_byte_sizes.end() ? told->second : kCudaByteSize,
                             *pools_.front()->generous, options));
  }
  return refusal_;
}

Result<CudaDriver*> DevicePools::Driver() {
  MutexLock lock(&mutex_);
  RETURN_IF_ERROR(Open());
  return driver_.get();
}

Result<DevicePools::Pool*> DevicePools::Find(MemoryPlace place) {
  MutexLock lock(&mutex_);
  const Status status = Open();
  if (!status.ok()) {
    const char* const wanted = place.type == MemoryType::kGpu ? "GPU memory" : "page-locked memory";
    return Status(status.code(), std::string("there is no ") + wanted + " here: " + status.message() +
                                     "; ask for TRITONSERVER_MEMORY_CPU");
  }
  if (place.type == MemoryType::kCpuPinned) return pools_.front().get();
  const auto index = static_cast<size_t>(place.id) + 1;
  if (place.id < 0 || index >= pools_.size()) {
    return InvalidArgumentError("there is no GPU " + std::to_string(place.id) + ": this machine has " +
                                std::to_string(pools_.size() - 1) + ", numbered from 0");
  }
  return pools_[index].get();
}

Result<MemoryResource*> DevicePools::PoolAt(MemoryPlace place) {
  ASSIGN_OR_RETURN(Pool* const pool, Find(place));
  return static_cast<MemoryResource*>(pool->tracked.get());
}

Result<MemoryResource*> DevicePools::GenerousPoolAt(MemoryPlace place) {
  ASSIGN_OR_RETURN(Pool* const pool, Find(place));
  if (options_.is_strict) return static_cast<MemoryResource*>(pool->tracked.get());
  return static_cast<MemoryResource*>(pool->generous.get());
}

std::vector<PoolStatus> DevicePools::Pools() const {
  std::vector<PoolStatus> rows;
  MutexLock lock(&mutex_);
  for (const auto& pool : pools_) {
    const PoolResource::Statistics statistics = pool->pool->statistics();
    PoolStatus row;
    row.name = pool->name;
    row.place = pool->source->place();
    row.live_byte_size = statistics.live_byte_size;
    row.reserved_byte_size = statistics.reserved_byte_size;
    row.peak_byte_size = statistics.peak_live_byte_size;
    row.limit_byte_size = pool->limited->limit_byte_size();
    row.allocations = statistics.allocations;
    row.hits = statistics.hits;
    row.failures = statistics.failures;
    row.fallbacks = pool->generous->fallbacks();
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<MemoryBlock> DevicePools::Blocks(const std::string& name) const {
  MutexLock lock(&mutex_);
  for (const auto& pool : pools_) {
    if (pool->name != name) continue;
    std::vector<MemoryBlock> blocks = pool->pool->Blocks();
    pool->tracked->FillOwners(&blocks);
    return blocks;
  }
  return {};
}

}  // namespace workbench
