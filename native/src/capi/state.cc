// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// State of sequences. No model has one yet: what asks for it is told so.
#include "capi/error.h"
#include "inference/inference_request.h"
#include "triton/core/tritonbackend.h"

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_StateNew(TRITONBACKEND_State** state, TRITONBACKEND_Request* request,
                                           const char* name, const TRITONSERVER_DataType datatype,
                                           const int64_t* shape, const uint32_t dims_count) {
  return Guard([&] {
    const std::string& model = FromHandle<InferenceRequest>(request)->signature().name;
    return InvalidArgumentError("model '" + model + "' declares no state '" + std::string(name) + "'");
  });
}

TRITONSERVER_Error* TRITONBACKEND_StateBuffer(TRITONBACKEND_State* state, void** buffer,
                                              const uint64_t buffer_byte_size,
                                              TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) {
  return Guard([&] { return InvalidArgumentError("there is no such state"); });
}

}  // extern "C"
