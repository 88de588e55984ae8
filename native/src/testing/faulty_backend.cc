// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A backend that breaks the interface's rules, as a test asks it to. What it answers is OUT, 16 zero bytes.
#include <cstring>
#include <mutex>
#include <vector>

#include "testing/faults.h"
#include "triton/core/tritonbackend.h"

using workbench::Fault;

extern "C" __attribute__((visibility("default"))) workbench::Faults wb_faults;
workbench::Faults wb_faults;

namespace {

std::mutex kept_mutex;
std::vector<TRITONBACKEND_Request*> kept;

// Notes a refusal.
bool Try(TRITONSERVER_Error* error) {
  if (error == nullptr) return true;
  ++wb_faults.refused;
  TRITONSERVER_ErrorDelete(error);
  return false;
}

void Fill(TRITONBACKEND_Response* response) {
  TRITONBACKEND_Output* output = nullptr;
  const int64_t shape[] = {1, 4};
  void* bytes = nullptr;
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_CPU;
  int64_t id = 0;
  if (Try(TRITONBACKEND_ResponseOutput(response, &output, "OUT", TRITONSERVER_TYPE_FP32, shape, 2)) &&
      Try(TRITONBACKEND_OutputBuffer(output, &bytes, 16, &type, &id))) {
    std::memset(bytes, 0, 16);
  }
}

void Send(TRITONBACKEND_Response* response) {
  Try(TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, nullptr));
}

void Answer(TRITONBACKEND_Request* request) {
  TRITONBACKEND_Response* response = nullptr;
  if (!Try(TRITONBACKEND_ResponseNew(&response, request))) return;
  Fill(response);
  Send(response);
}

void Release(TRITONBACKEND_Request* request) {
  Try(TRITONBACKEND_RequestRelease(request, TRITONSERVER_REQUEST_RELEASE_ALL));
}

void AnswerTwiceAfterRelease(TRITONBACKEND_Request* request) {
  TRITONBACKEND_ResponseFactory* factory = nullptr;
  Try(TRITONBACKEND_ResponseFactoryNew(&factory, request));
  Release(request);
  for (int i = 0; i < 2; ++i) {
    TRITONBACKEND_Response* response = nullptr;
    if (!Try(TRITONBACKEND_ResponseNewFromFactory(&response, factory))) continue;
    Fill(response);
    Send(response);
  }
  Try(TRITONBACKEND_ResponseFactoryDelete(factory));
}

void AnswerAfterFinal(TRITONBACKEND_Request* request) {
  TRITONBACKEND_ResponseFactory* factory = nullptr;
  TRITONBACKEND_Response* late = nullptr;
  Try(TRITONBACKEND_ResponseFactoryNew(&factory, request));
  Try(TRITONBACKEND_ResponseNew(&late, request));
  Answer(request);
  Fill(late);
  Try(TRITONBACKEND_ResponseSend(late, 0, nullptr));
  Try(TRITONBACKEND_ResponseFactorySendFlags(factory, TRITONSERVER_RESPONSE_COMPLETE_FINAL));
  Try(TRITONBACKEND_ResponseFactoryDelete(factory));
  Release(request);
}

void SendTwice(TRITONBACKEND_Request* request) {
  TRITONBACKEND_Response* response = nullptr;
  Try(TRITONBACKEND_ResponseNew(&response, request));
  Fill(response);
  Send(response);
  Send(response);
  Release(request);
}

void Keep(TRITONBACKEND_Request* request) {
  const std::lock_guard<std::mutex> lock(kept_mutex);
  kept.push_back(request);
}

void AnswerKept() {
  const std::lock_guard<std::mutex> lock(kept_mutex);
  for (TRITONBACKEND_Request* request : kept) {
    Answer(request);
    Release(request);
  }
  kept.clear();
}

void Serve(TRITONBACKEND_Request* request) {
  switch (wb_faults.fault) {
    case Fault::kAnswersTwice:
      Answer(request);
      Answer(request);
      return Release(request);
    case Fault::kAnswersTwiceAfterRelease:
      return AnswerTwiceAfterRelease(request);
    case Fault::kAnswersAfterFinal:
      return AnswerAfterFinal(request);
    case Fault::kSendsAResponseTwice:
      return SendTwice(request);
    case Fault::kAnswersWithoutRequest:
      Answer(request);
      Release(request);
      return Answer(request);
    case Fault::kReleasesTwice:
      Answer(request);
      Release(request);
      return Release(request);
    case Fault::kFailsAfterSending:
      return Answer(request);
    case Fault::kKeeps:
      return Keep(request);
    default:
      Answer(request);
      return Release(request);
  }
}

}  // namespace

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance*,
                                                       TRITONBACKEND_Request** requests,
                                                       const uint32_t count) {
  wb_faults.answer_kept = &AnswerKept;
  const Fault fault = wb_faults.fault;
  const bool fails_early = fault == Fault::kFailsAfterAnswering;
  for (uint32_t i = 0; i < (fails_early ? 1 : count); ++i) Serve(requests[i]);
  if (fault == Fault::kThrowsAfterAnswering) throw 7;
  if (!fails_early && fault != Fault::kFailsAfterSending) return nullptr;
  return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "not today");
}

}  // extern "C"
