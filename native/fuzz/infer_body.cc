// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies of inferences: four bytes that say how much of the body is JSON (all ones: all of it), then the
// body.
#include "endpoints/http/infer_body.h"

#include <cstring>
#include <memory>

#include "fuzz/interface.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint32_t json_size = 0;
  if (size < sizeof json_size) return 0;
  std::memcpy(&json_size, data, sizeof json_size);
  size -= sizeof json_size;
  // A copy of the exact size: what is read beyond it is seen.
  const std::unique_ptr<char[]> body(new char[size]);
  std::memcpy(body.get(), data + sizeof json_size, size);
  const std::string_view text(body.get(), size);
  const workbench::SharedMemory memory;
  TRITONSERVER_InferenceRequest request;
  workbench::InferPlan plan;
  if (json_size == 0) {
    (void)workbench::ReadRawBody(text, &request, &plan);
  } else {
    (void)workbench::ReadInferBody(text, json_size == UINT32_MAX ? size : json_size, memory, &request, &plan);
  }
  return 0;
}
