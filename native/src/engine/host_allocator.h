// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HostAllocator: gives outputs host memory from a resource, for senders that bring no buffers of their own.
// Any thread.
#pragma once

#include "inference/response_allocator.h"

namespace workbench {

class HostAllocator final : public ResponseAllocator {
 public:
  explicit HostAllocator(MemoryResource& host) : host_(host) {}

  Status Allocate(const char* tensor, void* userp, OutputBuffer* buffer) override {
    ASSIGN_OR_RETURN(buffer->base, host_.Allocate(buffer->byte_size));
    buffer->place = host_.place();
    return OkStatus();
  }
  Status Query(const char* tensor, void* userp, size_t* byte_size, MemoryPlace* place) override {
    *place = host_.place();
    return OkStatus();
  }
  void Release(const OutputBuffer& buffer) override { host_.Deallocate(buffer.base, buffer.byte_size); }

 private:
  MemoryResource& host_;
};

}  // namespace workbench
