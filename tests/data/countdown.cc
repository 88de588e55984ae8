// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A decoupled backend for both servers: answers a number by as many responses, and reports statistics of
// each: the first holds an output, the second none, the third fails, those after it are told as cancelled.
#include <chrono>
#include <cstring>

#include "triton/core/tritonbackend.h"

namespace {

uint64_t Now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

struct Reporter {
  TRITONBACKEND_ModelInstanceResponseStatistics* statistics = nullptr;

  Reporter(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_ResponseFactory* factory) {
    TRITONBACKEND_ModelInstanceResponseStatisticsNew(&statistics);
    TRITONBACKEND_ModelInstanceResponseStatisticsSetModelInstance(statistics, instance);
    TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseFactory(statistics, factory);
  }
  ~Reporter() { TRITONBACKEND_ModelInstanceResponseStatisticsDelete(statistics); }

  void Report(uint64_t start, bool has_output, TRITONSERVER_Error* error) {
    TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseStart(statistics, start);
    TRITONBACKEND_ModelInstanceResponseStatisticsSetComputeOutputStart(statistics, has_output ? Now() : 0);
    TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseEnd(statistics, Now());
    TRITONBACKEND_ModelInstanceResponseStatisticsSetError(statistics, error);
    TRITONBACKEND_ModelInstanceReportResponseStatistics(statistics);
  }
};

int Number(TRITONBACKEND_Request* request) {
  TRITONBACKEND_Input* input = nullptr;
  const void* base = nullptr;
  uint64_t byte_size = 0;
  TRITONSERVER_MemoryType type;
  int64_t id = 0;
  int number = 0;
  TRITONBACKEND_RequestInput(request, "IN", &input);
  TRITONBACKEND_InputBuffer(input, 0, &base, &byte_size, &type, &id);
  std::memcpy(&number, base, sizeof number);
  return number;
}

void Answer(TRITONBACKEND_ResponseFactory* factory, int number) {
  TRITONBACKEND_Response* response = nullptr;
  TRITONBACKEND_Output* output = nullptr;
  const int64_t shape[] = {1};
  void* base = nullptr;
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_CPU;
  int64_t id = 0;
  TRITONBACKEND_ResponseNewFromFactory(&response, factory);
  TRITONBACKEND_ResponseOutput(response, &output, "OUT", TRITONSERVER_TYPE_INT32, shape, 1);
  TRITONBACKEND_OutputBuffer(output, &base, sizeof number, &type, &id);
  std::memcpy(base, &number, sizeof number);
  TRITONBACKEND_ResponseSend(response, 0, nullptr);
}

void CountDown(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_ResponseFactory* factory, int number) {
  Reporter reporter(instance, factory);
  TRITONSERVER_Error* const failed = TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INTERNAL, "failed");
  TRITONSERVER_Error* const cancelled = TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_CANCELLED, "cancelled");
  for (int place = 0; place < number; ++place) {
    const uint64_t start = Now();
    Answer(factory, number - place);
    reporter.Report(start, place == 0, place < 2 ? nullptr : place == 2 ? failed : cancelled);
  }
  TRITONSERVER_ErrorDelete(failed);
  TRITONSERVER_ErrorDelete(cancelled);
}

}  // namespace

extern "C" TRITONBACKEND_ISPEC TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
    TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request** requests, const uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    TRITONBACKEND_ResponseFactory* factory = nullptr;
    const uint64_t start = Now();
    TRITONBACKEND_ResponseFactoryNew(&factory, requests[i]);
    CountDown(instance, factory, Number(requests[i]));
    TRITONBACKEND_ModelInstanceReportStatistics(instance, requests[i], true, start, start, Now(), Now());
    TRITONBACKEND_ModelInstanceReportBatchStatistics(instance, 1, start, start, Now(), Now());
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
    TRITONBACKEND_ResponseFactorySendFlags(factory, TRITONSERVER_RESPONSE_COMPLETE_FINAL);
    TRITONBACKEND_ResponseFactoryDelete(factory);
  }
  return nullptr;
}
