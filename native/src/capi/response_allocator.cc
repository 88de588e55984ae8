// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/response_allocator.h"

#include "capi/error.h"

namespace workbench {
namespace {

// An allocator given by three functions.
class CallbackAllocator final : public ResponseAllocator {
 public:
  CallbackAllocator(TRITONSERVER_ResponseAllocatorAllocFn_t allocate,
                    TRITONSERVER_ResponseAllocatorReleaseFn_t release,
                    TRITONSERVER_ResponseAllocatorStartFn_t start)
      : allocate_(allocate), release_(release), start_(start) {}

  Status Allocate(const char* tensor, void* userp, OutputBuffer* buffer) override {
    const auto wanted = static_cast<TRITONSERVER_MemoryType>(buffer->place.type);
    TRITONSERVER_MemoryType type = wanted;
    int64_t id = buffer->place.id;
    TRITONSERVER_Error* const error = allocate_(handle(), tensor, buffer->byte_size, wanted, id, userp,
                                                &buffer->base, &buffer->userp, &type, &id);
    if (error != nullptr) return TakeError(error);
    buffer->place = {static_cast<MemoryType>(type), id};
    return OkStatus();
  }

  void Release(const OutputBuffer& buffer) override {
    TRITONSERVER_Error* const error =
        release_(handle(), buffer.base, buffer.userp, buffer.byte_size,
                 static_cast<TRITONSERVER_MemoryType>(buffer.place.type), buffer.place.id);
    if (error != nullptr) (void)TakeError(error);  // nobody is left to tell
  }

  Status Start(void* userp) override {
    if (start_ == nullptr) return OkStatus();
    TRITONSERVER_Error* const error = start_(handle(), userp);
    return error == nullptr ? OkStatus() : TakeError(error);
  }

  TRITONSERVER_ResponseAllocator* handle() {
    return ToHandle<TRITONSERVER_ResponseAllocator>(static_cast<ResponseAllocator*>(this));
  }

 private:
  const TRITONSERVER_ResponseAllocatorAllocFn_t allocate_;
  const TRITONSERVER_ResponseAllocatorReleaseFn_t release_;
  const TRITONSERVER_ResponseAllocatorStartFn_t start_;
};

}  // namespace
}  // namespace workbench

using workbench::Guard;
using workbench::OkStatus;

extern "C" {

TRITONSERVER_Error* TRITONSERVER_ResponseAllocatorNew(TRITONSERVER_ResponseAllocator** allocator,
                                                      TRITONSERVER_ResponseAllocatorAllocFn_t alloc_fn,
                                                      TRITONSERVER_ResponseAllocatorReleaseFn_t release_fn,
                                                      TRITONSERVER_ResponseAllocatorStartFn_t start_fn) {
  return Guard([&] {
    *allocator = (new workbench::CallbackAllocator(alloc_fn, release_fn, start_fn))->handle();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ResponseAllocatorDelete(TRITONSERVER_ResponseAllocator* allocator) {
  return Guard([&] {
    delete workbench::FromHandle<workbench::ResponseAllocator>(allocator);
    return OkStatus();
  });
}

}  // extern "C"
