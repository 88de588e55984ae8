// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A backend for the core's own tests that asks another model of its server, and answers with what that
// answers. The other model is the rest of its own model's name behind "calls_"; so calls_calls_echo asks
// calls_echo, which asks echo.
#include <cstdlib>
#include <cstring>
#include <future>
#include <string>

#include "triton/core/tritonbackend.h"
#include "triton/core/tritonserver.h"

namespace {

using Error = TRITONSERVER_Error;
#define CHECK(call)                                       \
  do {                                                    \
    if (Error* const error = (call); error) return error; \
  } while (false)

Error* Allocate(TRITONSERVER_ResponseAllocator*, const char*, size_t byte_size, TRITONSERVER_MemoryType,
                int64_t, void*, void** buffer, void**, TRITONSERVER_MemoryType* type, int64_t* id) {
  *buffer = std::malloc(byte_size + 1);
  *type = TRITONSERVER_MEMORY_CPU;
  *id = 0;
  return nullptr;
}

Error* Release(TRITONSERVER_ResponseAllocator*, void* buffer, void*, size_t, TRITONSERVER_MemoryType,
               int64_t) {
  std::free(buffer);
  return nullptr;
}

void OnRelease(TRITONSERVER_InferenceRequest* request, uint32_t, void*) {
  TRITONSERVER_InferenceRequestDelete(request);
}

void OnResponse(TRITONSERVER_InferenceResponse* response, uint32_t, void* promise) {
  static_cast<std::promise<TRITONSERVER_InferenceResponse*>*>(promise)->set_value(response);
}

TRITONSERVER_ResponseAllocator* Allocator() {
  static TRITONSERVER_ResponseAllocator* const allocator = [] {
    TRITONSERVER_ResponseAllocator* made = nullptr;
    TRITONSERVER_ResponseAllocatorNew(&made, Allocate, Release, nullptr);
    return made;
  }();
  return allocator;
}

struct InputView {
  TRITONSERVER_DataType type;
  const int64_t* shape;
  uint32_t rank;
  uint64_t byte_size;
  const void* base;
};

Error* Read(TRITONBACKEND_Request* request, InputView* view) {
  TRITONBACKEND_Input* input = nullptr;
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_CPU;
  int64_t id = 0;
  CHECK(TRITONBACKEND_RequestInput(request, "IN", &input));
  CHECK(TRITONBACKEND_InputProperties(input, nullptr, &view->type, &view->shape, &view->rank,
                                      &view->byte_size, nullptr));
  return TRITONBACKEND_InputBuffer(input, 0, &view->base, &view->byte_size, &type, &id);
}

// Waits for the other model's answer.
Error* Ask(TRITONSERVER_Server* server, const char* model, const InputView& input,
           TRITONSERVER_InferenceResponse** response) {
  TRITONSERVER_InferenceRequest* request = nullptr;
  std::promise<TRITONSERVER_InferenceResponse*> promise;
  CHECK(TRITONSERVER_InferenceRequestNew(&request, server, model, -1));
  CHECK(TRITONSERVER_InferenceRequestAddInput(request, "IN", input.type, input.shape, input.rank));
  CHECK(TRITONSERVER_InferenceRequestAppendInputData(request, "IN", input.base, input.byte_size,
                                                     TRITONSERVER_MEMORY_CPU, 0));
  CHECK(TRITONSERVER_InferenceRequestSetReleaseCallback(request, OnRelease, nullptr));
  CHECK(
      TRITONSERVER_InferenceRequestSetResponseCallback(request, Allocator(), nullptr, OnResponse, &promise));
  if (Error* const error = TRITONSERVER_ServerInferAsync(server, request, nullptr); error) {
    TRITONSERVER_InferenceRequestDelete(request);
    return error;
  }
  *response = promise.get_future().get();
  return nullptr;
}

Error* Answer(TRITONBACKEND_Request* request, TRITONSERVER_InferenceResponse* asked) {
  const char* name = nullptr;
  TRITONSERVER_DataType type;
  const int64_t* shape = nullptr;
  uint64_t rank = 0;
  const void* base = nullptr;
  size_t byte_size = 0;
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  void* userp = nullptr;
  void* target = nullptr;
  TRITONBACKEND_Response* response = nullptr;
  TRITONBACKEND_Output* output = nullptr;
  CHECK(TRITONSERVER_InferenceResponseOutput(asked, 0, &name, &type, &shape, &rank, &base, &byte_size,
                                             &memory_type, &memory_type_id, &userp));
  CHECK(TRITONBACKEND_ResponseNew(&response, request));
  CHECK(TRITONBACKEND_ResponseOutput(response, &output, "OUT", type, shape, static_cast<uint32_t>(rank)));
  CHECK(TRITONBACKEND_OutputBuffer(output, &target, byte_size, &memory_type, &memory_type_id));
  std::memcpy(target, base, byte_size);
  return TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, nullptr);
}

Error* Serve(TRITONSERVER_Server* server, const std::string& model, TRITONBACKEND_Request* request) {
  InputView input{};
  TRITONSERVER_InferenceResponse* asked = nullptr;
  CHECK(Read(request, &input));
  CHECK(Ask(server, model.c_str(), input, &asked));
  Error* error = TRITONSERVER_InferenceResponseError(asked);
  error = error == nullptr
              ? Answer(request, asked)
              : TRITONSERVER_ErrorNew(TRITONSERVER_ErrorCode(error), TRITONSERVER_ErrorMessage(error));
  TRITONSERVER_InferenceResponseDelete(asked);
  return error;
}

void Fail(TRITONBACKEND_Request* request, Error* error) {
  TRITONBACKEND_Response* response = nullptr;
  if (TRITONBACKEND_ResponseNew(&response, request) == nullptr)
    TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error);
  TRITONSERVER_ErrorDelete(error);
}

}  // namespace

extern "C" TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance* instance,
                                                                  TRITONBACKEND_Request** requests,
                                                                  const uint32_t count) {
  TRITONBACKEND_Model* model = nullptr;
  TRITONSERVER_Server* server = nullptr;
  const char* name = nullptr;
  CHECK(TRITONBACKEND_ModelInstanceModel(instance, &model));
  CHECK(TRITONBACKEND_ModelServer(model, &server));
  CHECK(TRITONBACKEND_ModelName(model, &name));
  const std::string other = std::string(name).substr(std::strlen("calls_"));
  for (uint32_t i = 0; i < count; ++i) {
    if (Error* const error = Serve(server, other, requests[i]); error) Fail(requests[i], error);
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
  }
  return nullptr;
}
