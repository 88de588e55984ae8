// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HostAllocator: gives outputs host memory, for senders that bring no buffers of their own: page-locked
// memory where a backend wishes for a GPU's, so that the GPU writes it without help. DeviceAllocator: gives
// them memory where the backend wishes for it. Any thread.
#pragma once

#include "engine/device_pools.h"
#include "inference/response_allocator.h"

namespace workbench {

// Outputs out of pools, by where they are wished for.
class PooledAllocator : public ResponseAllocator {
 public:
  PooledAllocator(MemoryResource& host, DevicePools& devices) : host_(host), devices_(devices) {}

  Status Allocate(const char* tensor, void* userp, OutputBuffer* buffer) override {
    if (buffer->place.type != MemoryType::kCpu) {
      Result<MemoryResource*> pool = devices_.GenerousPoolAt(Grant(buffer->place));
      if (pool.ok()) {
        RETURN_IF_ERROR(AllocateFrom(*pool.value(), buffer));
        buffer->place = pool.value()->PlaceOf(buffer->base);
        return OkStatus();
      }
    }
    RETURN_IF_ERROR(AllocateFrom(host_, buffer));
    buffer->place = host_.place();  // without a GPU, all memory is the host's
    return OkStatus();
  }
  Status Query(const char* tensor, void* userp, size_t* byte_size, MemoryPlace* place) override {
    if (place->type == MemoryType::kCpu || !devices_.Driver().ok()) {
      *place = host_.place();
    } else {
      *place = Grant(*place);
    }
    return OkStatus();
  }
  void Release(const OutputBuffer& buffer) override {
    static_cast<MemoryResource*>(buffer.userp)->Deallocate(buffer.base, buffer.byte_size);
  }

 protected:
  // Where an output is put that is wished for at a place that is not pageable memory.
  virtual MemoryPlace Grant(MemoryPlace wished) const = 0;

 private:
  static Status AllocateFrom(MemoryResource& pool, OutputBuffer* buffer) {
    ASSIGN_OR_RETURN(buffer->base, pool.Allocate(buffer->byte_size));
    buffer->userp = &pool;
    return OkStatus();
  }

  MemoryResource& host_;
  DevicePools& devices_;
};

class HostAllocator final : public PooledAllocator {
 public:
  using PooledAllocator::PooledAllocator;

 private:
  MemoryPlace Grant(MemoryPlace wished) const override { return {MemoryType::kCpuPinned, 0}; }
};

class DeviceAllocator final : public PooledAllocator {
 public:
  using PooledAllocator::PooledAllocator;

 private:
  MemoryPlace Grant(MemoryPlace wished) const override { return wished; }
};

}  // namespace workbench
