// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Route: what a request's target asks for. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace workbench {

enum class HttpAction : uint8_t {
  kUnknown,
  kServerLive,
  kServerReady,
  kServerMetadata,
  kModelReady,
  kModelMetadata,
  kModelConfig,
  kModelStatistics,
  kInfer,
  kGenerate,
  kGenerateStream,
  kIndex,
  kLoad,
  kUnload,
  kModelTraceSettings,
  kTraceSettings,
  kLogSettings,
  kSystemMemoryStatus,
  kSystemMemoryRegister,
  kSystemMemoryUnregister,
  kCudaMemoryStatus,
  kCudaMemoryRegister,
  kCudaMemoryUnregister,
};

struct HttpRoute {
  HttpAction action = HttpAction::kUnknown;
  std::string name;     // of the model, or of the memory region; empty: of all
  std::string version;  // as it was sent; empty: none
};

// The target of a request line, percent-encoded, with or without a query.
HttpRoute RouteOf(std::string_view target);

// -1 for none. INVALID_ARGUMENT where it is too large.
Result<int64_t> VersionOf(const HttpRoute& route);

bool IsGet(HttpAction action);
bool IsPost(HttpAction action);

}  // namespace workbench
