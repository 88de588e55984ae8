// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The leanest useful backend: OUTPUT0 is INPUT0, FP32[16], with and without a batch dimension.
// It makes the fewest calls that a correct backend can make, so that a measurement with it shows
// the server and not the backend. All requests of an execution share two clock readings.

#include <chrono>
#include <cstring>

#include "triton/core/tritonbackend.h"

namespace {

uint64_t NowNs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

struct Tensor {
  TRITONBACKEND_Input* input = nullptr;
  const int64_t* shape = nullptr;
  uint32_t dims_count = 0;
  uint64_t byte_size = 0;
  uint32_t buffer_count = 0;

  // FP32[16] has one dimension, so a second one is the batch.
  uint64_t BatchSize() const { return dims_count > 1 ? shape[0] : 1; }
};

TRITONSERVER_Error* ReadInput(TRITONBACKEND_Request* request, Tensor* tensor) {
  if (auto* error = TRITONBACKEND_RequestInputByIndex(request, 0, &tensor->input)) return error;
  return TRITONBACKEND_InputProperties(tensor->input, nullptr, nullptr, &tensor->shape, &tensor->dims_count,
                                       &tensor->byte_size, &tensor->buffer_count);
}

TRITONSERVER_Error* CopyInput(const Tensor& tensor, char* destination) {
  for (uint32_t i = 0; i < tensor.buffer_count; ++i) {
    const void* source = nullptr;
    uint64_t byte_size = 0;
    TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
    int64_t memory_type_id = 0;
    if (auto* error =
            TRITONBACKEND_InputBuffer(tensor.input, i, &source, &byte_size, &memory_type, &memory_type_id)) {
      return error;
    }
    std::memcpy(destination, source, byte_size);
    destination += byte_size;
  }
  return nullptr;
}

TRITONSERVER_Error* WriteOutput(const Tensor& tensor, TRITONBACKEND_Response* response) {
  TRITONBACKEND_Output* output = nullptr;
  if (auto* error = TRITONBACKEND_ResponseOutput(response, &output, "OUTPUT0", TRITONSERVER_TYPE_FP32,
                                                 tensor.shape, tensor.dims_count)) {
    return error;
  }
  void* destination = nullptr;
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  if (auto* error =
          TRITONBACKEND_OutputBuffer(output, &destination, tensor.byte_size, &memory_type, &memory_type_id)) {
    return error;
  }
  return CopyInput(tensor, static_cast<char*>(destination));
}

// Answers one request, with an error where need be; returns how many inferences it held.
uint64_t Answer(TRITONBACKEND_Request* request, TRITONBACKEND_Response* response) {
  Tensor tensor;
  TRITONSERVER_Error* error = ReadInput(request, &tensor);
  if (error == nullptr) error = WriteOutput(tensor, response);
  TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error);
  if (error == nullptr) return tensor.BatchSize();
  TRITONSERVER_ErrorDelete(error);
  return 0;
}

}  // namespace

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance* instance,
                                                       TRITONBACKEND_Request** requests,
                                                       const uint32_t request_count) {
  const uint64_t start_ns = NowNs();
  uint64_t batch_size = 0;
  for (uint32_t i = 0; i < request_count; ++i) {
    TRITONBACKEND_Response* response = nullptr;
    if (auto* error = TRITONBACKEND_ResponseNew(&response, requests[i])) {
      TRITONSERVER_ErrorDelete(error);
      continue;
    }
    batch_size += Answer(requests[i], response);
  }
  const uint64_t end_ns = NowNs();
  TRITONBACKEND_ModelInstanceReportBatchStatistics(instance, batch_size, start_ns, start_ns, end_ns, end_ns);
  for (uint32_t i = 0; i < request_count; ++i) {
    TRITONBACKEND_ModelInstanceReportStatistics(instance, requests[i], true, start_ns, start_ns, end_ns,
                                                end_ns);
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
  }
  return nullptr;
}
