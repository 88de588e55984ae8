// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers with an output that is not the last, and says afterwards, without one, that nothing more comes.
#include <cstring>

#include "triton/core/tritonbackend.h"

namespace {

TRITONSERVER_Error* Answer(TRITONBACKEND_Request* request) {
  TRITONBACKEND_ResponseFactory* factory;
  if (auto* error = TRITONBACKEND_ResponseFactoryNew(&factory, request)) return error;
  TRITONBACKEND_Response* response;
  if (auto* error = TRITONBACKEND_ResponseNewFromFactory(&response, factory)) return error;
  const int64_t shape[] = {1, 1};
  TRITONBACKEND_Output* output;
  if (auto* error = TRITONBACKEND_ResponseOutput(response, &output, "OUTPUT0", TRITONSERVER_TYPE_FP32, shape, 2))
    return error;
  void* buffer;
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_CPU;
  int64_t id = 0;
  if (auto* error = TRITONBACKEND_OutputBuffer(output, &buffer, sizeof(float), &type, &id)) return error;
  const float value = 7;
  std::memcpy(buffer, &value, sizeof value);
  if (auto* error = TRITONBACKEND_ResponseSend(response, 0, nullptr)) return error;
  if (auto* error = TRITONBACKEND_ResponseFactorySendFlags(factory, TRITONSERVER_RESPONSE_COMPLETE_FINAL)) return error;
  return TRITONBACKEND_ResponseFactoryDelete(factory);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
    TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request** requests, const uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (auto* error = Answer(requests[i])) return error;
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
  }
  return nullptr;
}
