// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A backend for the core's own tests, on the plain C interface: answers OUT with IN, or misbehaves as its
// name says. Built once for each behaviour (WB_BEHAVIOUR).
#include <cstring>

#include "testing/inspection.h"
#include "triton/core/tritonbackend.h"

#if defined(WB_INSPECTS)
extern "C" __attribute__((visibility("default"))) workbench::Inspection wb_inspection;
workbench::Inspection wb_inspection;
#endif

namespace {

TRITONSERVER_Error* Answer(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request* request,
                           uint32_t flags) {
  TRITONBACKEND_Input* input = nullptr;
  const int64_t* shape = nullptr;
  TRITONSERVER_DataType type;
  uint32_t rank = 0;
  uint64_t byte_size = 0;
  TRITONBACKEND_Response* response = nullptr;
  TRITONBACKEND_Output* output = nullptr;
  const void* source = nullptr;
  void* target = nullptr;
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  if (auto* error = TRITONBACKEND_RequestInput(request, "IN", &input)) return error;
  if (auto* error = TRITONBACKEND_InputProperties(input, nullptr, &type, &shape, &rank, &byte_size, nullptr))
    return error;
  if (auto* error = TRITONBACKEND_ResponseNew(&response, request)) return error;
  if (auto* error = TRITONBACKEND_ResponseOutput(response, &output, "OUT", type, shape, rank)) return error;
  if (auto* error = TRITONBACKEND_OutputBuffer(output, &target, byte_size, &memory_type, &memory_type_id))
    return error;
  if (auto* error = TRITONBACKEND_InputBuffer(input, 0, &source, &byte_size, &memory_type, &memory_type_id))
    return error;
  std::memcpy(target, source, byte_size);
#if defined(WB_INSPECTS)
  if (wb_inspection.on_request) wb_inspection.on_request(instance, request, response, output);
#endif
  return TRITONBACKEND_ResponseSend(response, flags, nullptr);
}

[[maybe_unused]] TRITONSERVER_Error* AnswerWithoutOutput(TRITONBACKEND_Request* request) {
  TRITONBACKEND_Response* response = nullptr;
  if (auto* error = TRITONBACKEND_ResponseNew(&response, request)) return error;
  return TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, nullptr);
}

// Three responses, then the final flag alone.
[[maybe_unused]] TRITONSERVER_Error* AnswerThrice(TRITONBACKEND_ModelInstance* instance,
                                                  TRITONBACKEND_Request* request) {
  TRITONBACKEND_ResponseFactory* factory = nullptr;
  for (int i = 0; i < 3; ++i) {
    if (auto* error = Answer(instance, request, 0)) return error;
  }
  if (auto* error = TRITONBACKEND_ResponseFactoryNew(&factory, request)) return error;
  if (auto* error = TRITONBACKEND_ResponseFactorySendFlags(factory, TRITONSERVER_RESPONSE_COMPLETE_FINAL))
    return error;
  return TRITONBACKEND_ResponseFactoryDelete(factory);
}

TRITONSERVER_Error* AnswerAsNamed(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request* request) {
#if defined(WB_LEAVES_OUT)
  return AnswerWithoutOutput(request);
#elif defined(WB_REPEATS)
  return AnswerThrice(instance, request);
#else
  return Answer(instance, request, TRITONSERVER_RESPONSE_COMPLETE_FINAL);
#endif
}

}  // namespace

extern "C" {

#if defined(WB_FAILS_TO_INITIALIZE)
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceInitialize(TRITONBACKEND_ModelInstance*) {
  return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_NOT_FOUND, "no weights");
}
#endif

#if defined(WB_INSPECTS)
TRITONSERVER_Error* TRITONBACKEND_GetBackendAttribute(TRITONBACKEND_Backend*,
                                                      TRITONBACKEND_BackendAttribute* attribute) {
  if (wb_inspection.on_attribute) wb_inspection.on_attribute(attribute);
  return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_ModelInitialize(TRITONBACKEND_Model* model) {
  if (wb_inspection.on_model) wb_inspection.on_model(model);
  return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceInitialize(TRITONBACKEND_ModelInstance* instance) {
  if (wb_inspection.on_instance) wb_inspection.on_instance(instance);
  return nullptr;
}
#endif

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance* instance,
                                                       TRITONBACKEND_Request** requests,
                                                       const uint32_t count) {
#if defined(WB_FAILS)
  return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "not today");
#elif defined(WB_THROWS)
  throw 7;
#else
  for (uint32_t i = 0; i < count; ++i) {
    if (auto* error = AnswerAsNamed(instance, requests[i])) return error;
#if !defined(WB_REPORTS_NOTHING)
    TRITONBACKEND_ModelInstanceReportStatistics(instance, requests[i], true, 0, 0, 0, 0);
#endif
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
#if defined(WB_RELEASES_TWICE)
    if (auto* error = TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL)) {
      TRITONSERVER_ErrorDelete(error);
    }
#endif
  }
#if !defined(WB_REPORTS_NOTHING)
  TRITONBACKEND_ModelInstanceReportBatchStatistics(instance, count, 0, 0, 0, 0);
#endif
  return nullptr;
#endif
}

}  // extern "C"
