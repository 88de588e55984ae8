// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A batching strategy for the core's own tests: batches of two requests, or none at all (WB_INCOMPLETE). The
// parameters say what it is to do wrong.
#include <cstring>
#include <string>

#include "triton/core/tritonbackend.h"

namespace {

struct Batcher {
  size_t limit = 2;
  bool throws = false;
  int open_batches = 0;
};

struct OpenBatch {
  Batcher* batcher;
  size_t size;
};

std::string ConfigOf(TRITONBACKEND_Model* model) {
  TRITONSERVER_Message* message = nullptr;
  if (TRITONBACKEND_ModelConfig(model, 1, &message) != nullptr) return "";
  const char* text = nullptr;
  size_t byte_size = 0;
  TRITONSERVER_MessageSerializeToJson(message, &text, &byte_size);
  std::string config(text, byte_size);
  TRITONSERVER_MessageDelete(message);
  return config;
}

}  // namespace

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_ModelBatcherInitialize(TRITONBACKEND_Batcher** batcher,
                                                         TRITONBACKEND_Model* model) {
  const std::string config = ConfigOf(model);
  if (config.find("refuse") != std::string::npos) {
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_NOT_FOUND, "no such limit");
  }
  auto* const made = new Batcher();
  made->throws = config.find("throw") != std::string::npos;
  *batcher = reinterpret_cast<TRITONBACKEND_Batcher*>(made);
  return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_ModelBatcherFinalize(TRITONBACKEND_Batcher* batcher) {
  auto* const made = reinterpret_cast<Batcher*>(batcher);
  const bool is_balanced = made->open_batches == 0;
  delete made;
  return is_balanced ? nullptr : TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INTERNAL, "a batch was not ended");
}

TRITONSERVER_Error* TRITONBACKEND_ModelBatchInitialize(const TRITONBACKEND_Batcher* batcher, void** userp) {
  auto* const made = const_cast<Batcher*>(reinterpret_cast<const Batcher*>(batcher));
  ++made->open_batches;
  *userp = new OpenBatch{made, 0};
  return nullptr;
}

#if !defined(WB_INCOMPLETE)
TRITONSERVER_Error* TRITONBACKEND_ModelBatchIncludeRequest(TRITONBACKEND_Request* request, void* userp,
                                                           bool* should_include) {
  auto* const batch = static_cast<OpenBatch*>(userp);
  if (batch->batcher->throws) throw 7;
  uint32_t input_count = 0;
  TRITONBACKEND_RequestInputCount(request, &input_count);
  *should_include = input_count == 1 && batch->size++ < batch->batcher->limit;
  return nullptr;
}
#endif

TRITONSERVER_Error* TRITONBACKEND_ModelBatchFinalize(void* userp) {
  auto* const batch = static_cast<OpenBatch*>(userp);
  --batch->batcher->open_batches;
  delete batch;
  return nullptr;
}

}  // extern "C"
