// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "capi/error.h"
#include "inference/request_input.h"

using workbench::FromHandle;
using workbench::Guard;
using workbench::InputBuffer;
using workbench::MemoryType;
using workbench::OkStatus;
using workbench::ToHandle;

// Attributes are those of an input's buffer; the base address stays null here.
extern "C" {

TRITONSERVER_Error* TRITONSERVER_BufferAttributesNew(TRITONSERVER_BufferAttributes** buffer_attributes) {
  return Guard([&] {
    *buffer_attributes = ToHandle<TRITONSERVER_BufferAttributes>(new InputBuffer());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesDelete(TRITONSERVER_BufferAttributes* buffer_attributes) {
  return Guard([&] {
    delete FromHandle<InputBuffer>(buffer_attributes);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesSetByteSize(TRITONSERVER_BufferAttributes* buffer_attributes,
                                                             size_t byte_size) {
  return Guard([&] {
    FromHandle<InputBuffer>(buffer_attributes)->byte_size = byte_size;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesSetMemoryType(
    TRITONSERVER_BufferAttributes* buffer_attributes, TRITONSERVER_MemoryType memory_type) {
  return Guard([&] {
    FromHandle<InputBuffer>(buffer_attributes)->place.type = static_cast<MemoryType>(memory_type);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_BufferAttributesSetMemoryTypeId(
    TRITONSERVER_BufferAttributes* buffer_attributes, int64_t memory_type_id) {
  return Guard([&] {
    FromHandle<InputBuffer>(buffer_attributes)->place.id = memory_type_id;
    return OkStatus();
  });
}

}  // extern "C"
