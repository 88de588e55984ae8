// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a path of gRPC asks for.
#pragma once

#include <string_view>

namespace workbench {

enum class GrpcMethod : unsigned char {
  kUnknown,
  kInfer,
  kStreamInfer,
  kServerLive,
  kServerReady,
  kModelReady,
  kHealthCheck,
  kHealthWatch,
  kManaged
};

// kManaged: a method of the protocol's service that is Python's; method: its name.
GrpcMethod MethodOf(std::string_view path, std::string_view* name);

}  // namespace workbench
