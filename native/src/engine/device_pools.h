// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DevicePools: an engine's memory beside the host's own: page-locked memory, and that of each GPU. The driver
// is opened when somebody first asks for such memory; where nobody does, nothing of it costs anything. Owned
// by HostMemory. Any thread.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "device/cuda_driver.h"
#include "engine/bridge.h"
#include "events/event_sink.h"
#include "memory/fallback_resource.h"
#include "memory/limiting_resource.h"
#include "memory/memory_events.h"
#include "memory/pool_resource.h"
#include "memory/tracking_resource.h"

namespace workbench {

class DevicePools {
 public:
  struct Options {
    std::string driver;  // empty: the machine's own
    uint64_t pinned_byte_size = 0;
    std::map<int, uint64_t> cuda_byte_sizes;  // by device
    uint64_t growth_byte_size = 0;            // most that a pool reserves at once
    size_t event_byte_size = 0;               // smaller allocations are not told one by one
    bool is_strict = false;                   // what a pool does not have is an error
  };
  static constexpr uint64_t kCudaByteSize = uint64_t{64} << 20;  // of a device that Options does not name
  static constexpr uint8_t kFirstNumber = 2;                     // of a pool in events

  // Borrows all but the options. pageable: what is given in the end where memory is short.
  DevicePools(const Options& options, MemoryResource& pageable, EventSink& events, const Clock& clock);
  ~DevicePools();

  // UNSUPPORTED, with the reason, where there is no GPU.
  Result<CudaDriver*> Driver() EXCLUDES(mutex_);
  // What gives bytes of that place alone. REQUIRES: not of pageable memory.
  Result<MemoryResource*> PoolAt(MemoryPlace place) EXCLUDES(mutex_);
  // What gives bytes of that place, or, where it has none, page-locked or pageable ones; in a strict server
  // it does not.
  Result<MemoryResource*> GenerousPoolAt(MemoryPlace place) EXCLUDES(mutex_);

  // Once the driver is open: the page-locked pool, then each device's, as they are numbered in events.
  std::vector<PoolStatus> Pools() const EXCLUDES(mutex_);
  // Every block of the pool called that, with its owner.
  std::vector<MemoryBlock> Blocks(const std::string& pool) const EXCLUDES(mutex_);

 private:
  struct Pool;
  std::unique_ptr<Pool> NewPool(std::string name, std::unique_ptr<MemoryResource> source, uint64_t byte_size,
                                MemoryResource& fallback, PoolResource::Options options);
  Status Open() REQUIRES(mutex_);
  Result<Pool*> Find(MemoryPlace place) EXCLUDES(mutex_);

  // Constant.
  const Options options_;
  MemoryResource& pageable_;
  EventSink& events_;
  const Clock& clock_;

  // Guarded.
  mutable Mutex mutex_;
  bool is_tried_ GUARDED_BY(mutex_) = false;
  Status refusal_ GUARDED_BY(mutex_);  // why there is no driver
  std::shared_ptr<CudaDriver> driver_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Pool>> pools_ GUARDED_BY(mutex_);  // page-locked, then by device
};

}  // namespace workbench
