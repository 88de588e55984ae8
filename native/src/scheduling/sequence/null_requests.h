// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// NullRequests: requests that keep the places of those who have nothing to say in a batch. Their inputs are
// zeros in the shape of another request's; their answers are dropped. Any thread. Outlives its requests.
#pragma once

#include <vector>

#include "base/mutex.h"
#include "inference/inference_request.h"
#include "memory/buffer.h"

namespace workbench {

class NullRequests final : private ResponseAllocator {
 public:
  // Borrows memory, which outlives it.
  NullRequests(const std::vector<StateSpec>& states, bool is_batched, MemoryResource& memory)
      : specs_(states), is_batched_(is_batched), memory_(memory) {}

  // A null request in the shape of another, states included.
  Result<RequestPtr> Like(const InferenceRequest& other);

 private:
  Status Allocate(const char* tensor, void* userp, OutputBuffer* buffer) override;
  void Release(const OutputBuffer& buffer) override;
  static void Drop(InferenceResponse* response, uint32_t flags, void* self);
  static void OnRelease(InferenceRequest* request, uint32_t flags, void* self);

  Result<const void*> Zeros(size_t byte_size);
  Status GiveStates(const InferenceRequest& other, InferenceRequest* request);
  std::unique_ptr<SequenceStates> TakeStates();

  // Constant.
  const std::vector<StateSpec>& specs_;
  const bool is_batched_;
  MemoryResource& memory_;

  Mutex mutex_;
  // The last is the largest; requests may still read from those before.
  std::vector<Buffer> zeros_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<SequenceStates>> unused_states_ GUARDED_BY(mutex_);
};

}  // namespace workbench
