// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ResponseAllocator: gives the buffers that outputs are written to. Owned by whoever sends requests; called
// on the thread on which the backend asks for a buffer.
#pragma once

#include <cstddef>

#include "base/status.h"
#include "memory/buffer_attributes.h"

namespace workbench {

class InferenceResponse;

// What a request says of where its responses go. Copied into each response, which may outlive the request.
struct ResponseDelivery;

struct OutputBuffer : BufferAttributes {
  void* base = nullptr;
  void* userp = nullptr;  // the allocator's own, handed back at release
};

class ResponseAllocator {
 public:
  virtual ~ResponseAllocator() = default;
  // Fills buffer->base, place and userp; buffer->byte_size and place hold what is asked for.
  virtual Status Allocate(const char* tensor, void* userp, OutputBuffer* buffer) = 0;
  virtual void Release(const OutputBuffer& buffer) = 0;
  // Tells what Allocate would give; byte_size and place hold what is wished, tensor and byte_size may be
  // null. UNAVAILABLE where the allocator cannot tell.
  virtual Status Query(const char* tensor, void* userp, size_t* byte_size, MemoryPlace* place) {
    return UnavailableError("the allocator of this request's responses does not tell where it puts them");
  }
  // A response is about to ask for its buffers.
  virtual Status Start(void* userp) { return OkStatus(); }
};

struct ResponseDelivery {
  // Takes the response (null when the flags alone are the message).
  using Complete = void (*)(InferenceResponse* response, uint32_t flags, void* userp);

  ResponseAllocator* allocator = nullptr;
  void* allocator_userp = nullptr;
  Complete complete = nullptr;
  void* userp = nullptr;
};

constexpr uint32_t kResponseFinal = 1;  // TRITONSERVER_RESPONSE_COMPLETE_FINAL

}  // namespace workbench
