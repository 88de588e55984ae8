// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What is asked of the server beside inference. Calls the control plane and may take long: not for a loop.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "endpoints/grpc/method.h"
#include "endpoints/grpc/status.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// How a call ended; message: of an answer, where it went well.
struct GrpcAnswer {
  GrpcStatus status;
  std::string message;
};

// Serves a method that is Python's, from bytes to bytes.
using ManagementService = std::function<GrpcAnswer(const std::string& method, std::string_view message)>;

// grpc.health.v1.HealthCheckResponse.
std::string HealthStatus(bool is_ready);

// Serves one of health's methods.
GrpcAnswer AskHealth(TRITONSERVER_Server* server, GrpcMethod method, std::string_view message);

}  // namespace workbench
