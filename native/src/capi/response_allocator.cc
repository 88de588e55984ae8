// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/response_allocator.h"

#include "capi/error.h"

namespace workbench {
namespace {

// An allocator given by its functions.
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
    RETURN_IF_ERROR(Complete(tensor, userp, buffer));
    buffer->place = {static_cast<MemoryType>(type), id};
    return OkStatus();
  }

  Status Query(const char* tensor, void* userp, size_t* byte_size, MemoryPlace* place) override {
    if (query_ == nullptr) return ResponseAllocator::Query(tensor, userp, byte_size, place);
    auto type = static_cast<TRITONSERVER_MemoryType>(place->type);
    TRITONSERVER_Error* const error = query_(handle(), userp, tensor, byte_size, &type, &place->id);
    place->type = static_cast<MemoryType>(type);
    return error == nullptr ? OkStatus() : TakeError(error);
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

  void set_buffer_attributes(TRITONSERVER_ResponseAllocatorBufferAttributesFn_t function) {
    buffer_attributes_ = function;
  }
  void set_query(TRITONSERVER_ResponseAllocatorQueryFn_t function) { query_ = function; }

  TRITONSERVER_ResponseAllocator* handle() {
    return ToHandle<TRITONSERVER_ResponseAllocator>(static_cast<ResponseAllocator*>(this));
  }

 private:
  // Lets the owner add what an allocation alone does not tell. Size and place are the core's to say.
  Status Complete(const char* tensor, void* userp, OutputBuffer* buffer) {
    if (buffer_attributes_ == nullptr) return OkStatus();
    BufferAttributes attributes = *buffer;
    TRITONSERVER_Error* const error = buffer_attributes_(
        handle(), tensor, ToHandle<TRITONSERVER_BufferAttributes>(&attributes), userp, buffer->userp);
    buffer->cuda_ipc_handle = attributes.cuda_ipc_handle;
    return error == nullptr ? OkStatus() : TakeError(error);
  }

  const TRITONSERVER_ResponseAllocatorAllocFn_t allocate_;
  const TRITONSERVER_ResponseAllocatorReleaseFn_t release_;
  const TRITONSERVER_ResponseAllocatorStartFn_t start_;
  TRITONSERVER_ResponseAllocatorBufferAttributesFn_t buffer_attributes_ = nullptr;
  TRITONSERVER_ResponseAllocatorQueryFn_t query_ = nullptr;
};

CallbackAllocator& Unwrap(TRITONSERVER_ResponseAllocator* allocator) {
  return *static_cast<CallbackAllocator*>(FromHandle<ResponseAllocator>(allocator));
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_ResponseAllocatorNew(TRITONSERVER_ResponseAllocator** allocator,
                                                      TRITONSERVER_ResponseAllocatorAllocFn_t alloc_fn,
                                                      TRITONSERVER_ResponseAllocatorReleaseFn_t release_fn,
                                                      TRITONSERVER_ResponseAllocatorStartFn_t start_fn) {
  return Guard([&] {
    *allocator = (new CallbackAllocator(alloc_fn, release_fn, start_fn))->handle();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ResponseAllocatorSetBufferAttributesFunction(
    TRITONSERVER_ResponseAllocator* allocator,
    TRITONSERVER_ResponseAllocatorBufferAttributesFn_t buffer_attributes_fn) {
  return Guard([&] {
    Unwrap(allocator).set_buffer_attributes(buffer_attributes_fn);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ResponseAllocatorSetQueryFunction(
    TRITONSERVER_ResponseAllocator* allocator, TRITONSERVER_ResponseAllocatorQueryFn_t query_fn) {
  return Guard([&] {
    Unwrap(allocator).set_query(query_fn);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ResponseAllocatorDelete(TRITONSERVER_ResponseAllocator* allocator) {
  return Guard([&] {
    delete FromHandle<ResponseAllocator>(allocator);
    return OkStatus();
  });
}

}  // extern "C"
