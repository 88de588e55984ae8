// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The outputs of a response that its backend has not sent yet.
#include "capi/error.h"
#include "inference/inference_response.h"
#include "triton/core/tritonbackend.h"

namespace workbench {
namespace {

InferenceResponse& Unwrap(TRITONBACKEND_Response* response) {
  return *FromHandle<InferenceResponse>(response);
}

Result<const InferenceResponse::Output*> OutputAt(const InferenceResponse& response, uint32_t index) {
  if (index < response.output_count()) return &response.output(index);
  return InvalidArgumentError("output " + std::to_string(index) + " was asked of a response that has " +
                              std::to_string(response.output_count()));
}

Result<const InferenceResponse::Output*> OutputNamed(const InferenceResponse& response,
                                                     const std::string& name) {
  for (size_t i = 0; i < response.output_count(); ++i) {
    if (response.output(i).name() == name) return &response.output(i);
  }
  return NotFoundError("the response has no output '" + name + "'");
}

Status Describe(const InferenceResponse::Output& output, TRITONSERVER_DataType* datatype,
                const int64_t** shape, uint64_t* dim_count) {
  *datatype = static_cast<TRITONSERVER_DataType>(output.type());
  *shape = output.shape().data();
  *dim_count = output.shape().size();
  return OkStatus();
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_InferenceResponseOutput(TRITONBACKEND_Response* response,
                                                          const uint32_t index, const char** name,
                                                          TRITONSERVER_DataType* datatype,
                                                          const int64_t** shape, uint64_t* dim_count) {
  return Guard([&]() -> Status {
    ASSIGN_OR_RETURN(const InferenceResponse::Output* const output, OutputAt(Unwrap(response), index));
    *name = output->name().c_str();
    return Describe(*output, datatype, shape, dim_count);
  });
}

TRITONSERVER_Error* TRITONBACKEND_InferenceResponseOutputByName(TRITONBACKEND_Response* response,
                                                                const char* name,
                                                                TRITONSERVER_DataType* datatype,
                                                                const int64_t** shape, uint64_t* dim_count) {
  return Guard([&]() -> Status {
    ASSIGN_OR_RETURN(const InferenceResponse::Output* const output, OutputNamed(Unwrap(response), name));
    return Describe(*output, datatype, shape, dim_count);
  });
}

TRITONSERVER_Error* TRITONBACKEND_OutputBufferAttributes(TRITONBACKEND_Output* output,
                                                         TRITONSERVER_BufferAttributes** buffer_attributes) {
  return Guard([&] {
    BufferAttributes* const attributes = FromHandle<InferenceResponse::Output>(output)->attributes();
    *buffer_attributes = ToHandle<TRITONSERVER_BufferAttributes>(attributes);
    return OkStatus();
  });
}

}  // extern "C"
