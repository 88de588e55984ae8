// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages of gRPC: an inference, and the small ones beside it; notations of a call's head.
#include <cstring>
#include <memory>

#include "endpoints/grpc/infer_message.h"
#include "endpoints/grpc/infer_request.h"
#include "endpoints/grpc/status.h"
#include "endpoints/grpc/wire.h"
#include "fuzz/interface.h"

namespace {

void Infer(const workbench::InferRequestMessage& message) {
  const workbench::SharedMemory memory;
  TRITONSERVER_InferenceRequest request;
  workbench::InferPlan plan;
  bool wants_final = false;
  (void)workbench::VersionOf(message.version, message.model);
  (void)workbench::FillRequest(message, memory, &request, &plan, &wants_final);
  for (const auto& input : message.inputs) {
    for (int type = 1; type <= TRITONSERVER_TYPE_BF16; ++type)
      (void)workbench::ElementsOf(input, static_cast<TRITONSERVER_DataType>(type));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A copy of the exact size: what is read beyond it is seen.
  const std::unique_ptr<char[]> copy(new char[size]);
  if (size > 0) std::memcpy(copy.get(), data, size);
  const std::string_view bytes(copy.get(), size);
  const auto message = workbench::ParseInferRequest(bytes);
  if (message.ok()) Infer(message.value());
  (void)workbench::ParseModelReady(bytes);
  (void)workbench::CheckMessage(bytes, "a message");
  (void)workbench::TimeoutOf(bytes);
  for (const char byte : workbench::PercentEncoded(bytes))
    if (byte < ' ' || byte > '~') std::abort();
  return 0;
}
