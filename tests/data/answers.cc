// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers as the request's one number says: for each of its decimal digits, the last one first, 1 is a response, 2 a
// response with the final flag, 3 or 0 the final flag alone, 4 an empty response with it. For either server.
#include <cstring>
#include <triton/core/tritonbackend.h>

namespace {

int32_t Pattern(TRITONBACKEND_Request* request) {
  TRITONBACKEND_Input* input = nullptr;
  TRITONBACKEND_RequestInput(request, "IN", &input);
  const void* base = nullptr;
  uint64_t byte_size = 0;
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_CPU;
  int64_t id = 0;
  TRITONBACKEND_InputBuffer(input, 0, &base, &byte_size, &type, &id);
  int32_t pattern = 0;
  std::memcpy(&pattern, base, sizeof pattern);
  return pattern;
}

void Respond(TRITONBACKEND_ResponseFactory* factory, bool is_full, uint32_t flags) {
  TRITONBACKEND_Response* response = nullptr;
  TRITONBACKEND_ResponseNewFromFactory(&response, factory);
  if (is_full) {
    TRITONBACKEND_Output* output = nullptr;
    const int64_t shape[] = {1};
    TRITONBACKEND_ResponseOutput(response, &output, "OUT", TRITONSERVER_TYPE_INT32, shape, 1);
    void* bytes = nullptr;
    TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_CPU;
    int64_t id = 0;
    TRITONBACKEND_OutputBuffer(output, &bytes, sizeof(int32_t), &type, &id);
    std::memset(bytes, 0, sizeof(int32_t));
  }
  TRITONBACKEND_ResponseSend(response, flags, nullptr);
}

void Answer(TRITONBACKEND_ResponseFactory* factory, int digit) {
  constexpr uint32_t kFinal = TRITONSERVER_RESPONSE_COMPLETE_FINAL;
  if (digit == 3 || digit == 0) {
    TRITONBACKEND_ResponseFactorySendFlags(factory, kFinal);
  } else {
    Respond(factory, digit != 4, digit == 1 ? 0 : kFinal);
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
    TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request** requests, const uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    TRITONBACKEND_ResponseFactory* factory = nullptr;
    TRITONBACKEND_ResponseFactoryNew(&factory, requests[i]);
    int32_t left = Pattern(requests[i]);
    do {
      Answer(factory, left % 10);
      left /= 10;
    } while (left > 0);
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
    TRITONBACKEND_ResponseFactoryDelete(factory);
  }
  return nullptr;
}
