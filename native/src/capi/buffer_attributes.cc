// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Where a buffer lies and how large it is.
#include "memory/buffer_attributes.h"

#include "capi/error.h"

namespace workbench {
namespace {

BufferAttributes& Unwrap(TRITONSERVER_BufferAttributes* attributes) {
  return *FromHandle<BufferAttributes>(attributes);
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_BufferAttributesNew(TRITONSERVER_BufferAttributes** buffer_attributes) {
  return Guard([&] {
    *buffer_attributes = ToHandle<TRITONSERVER_BufferAttributes>(new BufferAttributes());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesDelete(TRITONSERVER_BufferAttributes* buffer_attributes) {
  return Guard([&] {
    delete &Unwrap(buffer_attributes);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesSetMemoryTypeId(
    TRITONSERVER_BufferAttributes* buffer_attributes, int64_t memory_type_id) {
  return Guard([&] {
    Unwrap(buffer_attributes).place.id = memory_type_id;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesSetMemoryType(
    TRITONSERVER_BufferAttributes* buffer_attributes, TRITONSERVER_MemoryType memory_type) {
  return Guard([&] {
    Unwrap(buffer_attributes).place.type = static_cast<MemoryType>(memory_type);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesSetCudaIpcHandle(
    TRITONSERVER_BufferAttributes* buffer_attributes, void* cuda_ipc_handle) {
  return Guard([&] {
    Unwrap(buffer_attributes).cuda_ipc_handle = cuda_ipc_handle;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesSetByteSize(TRITONSERVER_BufferAttributes* buffer_attributes,
                                                             size_t byte_size) {
  return Guard([&] {
    Unwrap(buffer_attributes).byte_size = byte_size;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesMemoryTypeId(
    TRITONSERVER_BufferAttributes* buffer_attributes, int64_t* memory_type_id) {
  return Guard([&] {
    *memory_type_id = Unwrap(buffer_attributes).place.id;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesMemoryType(TRITONSERVER_BufferAttributes* buffer_attributes,
                                                            TRITONSERVER_MemoryType* memory_type) {
  return Guard([&] {
    *memory_type = static_cast<TRITONSERVER_MemoryType>(Unwrap(buffer_attributes).place.type);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesCudaIpcHandle(
    TRITONSERVER_BufferAttributes* buffer_attributes, void** cuda_ipc_handle) {
  return Guard([&] {
    *cuda_ipc_handle = Unwrap(buffer_attributes).cuda_ipc_handle;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesByteSize(TRITONSERVER_BufferAttributes* buffer_attributes,
                                                          size_t* byte_size) {
  return Guard([&] {
    *byte_size = Unwrap(buffer_attributes).byte_size;
    return OkStatus();
  });
}

}  // extern "C"
