// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// States of sequences as backends write them.
#include "capi/error.h"
#include "inference/inference_request.h"
#include "inference/sequence_state.h"
#include "triton/core/tritonbackend.h"

namespace workbench {
namespace {

SequenceState& Unwrap(TRITONBACKEND_State* state) { return *FromHandle<SequenceState>(state); }

Result<SequenceState*> FindState(const InferenceRequest& request, const char* name) {
  const std::string subject = "model '" + request.signature().name + "' ";
  if (request.states == nullptr) {
    return InvalidArgumentError(subject + "keeps no states, so none is named '" + name +
                                "'; sequence_batching.state declares them");
  }
  SequenceState* const state = request.states->FindOutput(name);
  if (state == nullptr) {
    return InvalidArgumentError(subject + "has no state whose output_name is '" + name + "'");
  }
  return state;
}

Status AllocateState(SequenceState& state, uint64_t byte_size, void** buffer,
                     TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) {
  ASSIGN_OR_RETURN(InputBuffer* const given, state.Allocate(byte_size));
  *buffer = const_cast<void*>(given->base);
  *memory_type = static_cast<TRITONSERVER_MemoryType>(given->place.type);
  *memory_type_id = given->place.id;
  return OkStatus();
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_StateNew(TRITONBACKEND_State** state, TRITONBACKEND_Request* request,
                                           const char* name, const TRITONSERVER_DataType datatype,
                                           const int64_t* shape, const uint32_t dims_count) {
  return Guard([&]() -> Status {
    ASSIGN_OR_RETURN(SequenceState* const found, FindState(*FromHandle<InferenceRequest>(request), name));
    found->Declare(static_cast<DataType>(datatype), shape, dims_count);
    *state = ToHandle<TRITONBACKEND_State>(found);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_StateUpdate(TRITONBACKEND_State* state) {
  return Guard([&] { return Unwrap(state).Update(); });
}

TRITONSERVER_Error* TRITONBACKEND_StateBuffer(TRITONBACKEND_State* state, void** buffer,
                                              const uint64_t buffer_byte_size,
                                              TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) {
  return Guard(
      [&] { return AllocateState(Unwrap(state), buffer_byte_size, buffer, memory_type, memory_type_id); });
}

TRITONSERVER_Error* TRITONBACKEND_StateBufferAttributes(TRITONBACKEND_State* state,
                                                        TRITONSERVER_BufferAttributes** buffer_attributes) {
  return Guard([&] {
    *buffer_attributes =
        ToHandle<TRITONSERVER_BufferAttributes>(static_cast<BufferAttributes*>(Unwrap(state).written()));
    return OkStatus();
  });
}

}  // extern "C"
