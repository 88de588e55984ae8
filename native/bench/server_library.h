// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The functions of a library with the TRITONSERVER interface, found at run time: so one driver
// measures any such library. Read by all threads once opened.
#pragma once

#include "triton/core/tritonserver.h"

#define WB_BENCH_SERVER_FUNCTIONS(X)     \
  X(ApiVersion)                          \
  X(ErrorMessage)                        \
  X(ErrorDelete)                         \
  X(ServerOptionsNew)                    \
  X(ServerOptionsDelete)                 \
  X(ServerOptionsSetModelRepositoryPath) \
  X(ServerOptionsSetBackendDirectory)    \
  X(ServerOptionsSetLogInfo)             \
  X(ServerOptionsSetModelControlMode)    \
  X(ServerOptionsSetStartupModel)        \
  X(ServerOptionsSetGpuMetrics)          \
  X(ServerOptionsSetCpuMetrics)          \
  X(ServerNew)                           \
  X(ServerDelete)                        \
  X(ServerModelIsReady)                  \
  X(ServerModelStatistics)               \
  X(MessageSerializeToJson)              \
  X(MessageDelete)                       \
  X(ResponseAllocatorNew)                \
  X(ResponseAllocatorDelete)             \
  X(InferenceRequestNew)                 \
  X(InferenceRequestDelete)              \
  X(InferenceRequestAddInput)            \
  X(InferenceRequestAppendInputData)     \
  X(InferenceRequestAddRequestedOutput)  \
  X(InferenceRequestSetReleaseCallback)  \
  X(InferenceRequestSetResponseCallback) \
  X(ServerInferAsync)                    \
  X(InferenceResponseError)              \
  X(InferenceResponseOutput)             \
  X(InferenceResponseDelete)

namespace workbench::bench {

struct ServerLibrary {
#define WB_BENCH_DECLARE(NAME) decltype(&TRITONSERVER_##NAME) NAME = nullptr;
  WB_BENCH_SERVER_FUNCTIONS(WB_BENCH_DECLARE)
#undef WB_BENCH_DECLARE

  // Ends the process with a message where `error` is one: a benchmark has no other way out.
  void Check(TRITONSERVER_Error* error) const {
    if (error != nullptr) Fail(ErrorMessage(error));
  }
  [[noreturn]] static void Fail(const char* message);
};

// The library stays open. Ends the process where it, or one of its functions, cannot be had.
ServerLibrary OpenServerLibrary(const char* path);

}  // namespace workbench::bench
