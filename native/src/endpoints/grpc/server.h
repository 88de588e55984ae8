// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// GrpcServer: the gRPC front door of one server.
#pragma once

#include <memory>

#include "base/result.h"
#include "endpoints/grpc/management.h"
#include "endpoints/grpc/options.h"
#include "endpoints/listener.h"
#include "endpoints/shared_memory.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// What the door leads to.
struct GrpcServed {
  TRITONSERVER_Server* server;
  SharedMemory* memory;
  ManagementService service;
};

class GrpcServer {
 public:
  // INVALID_ARGUMENT for an address, UNAVAILABLE for a port that is taken.
  static Result<std::unique_ptr<GrpcServer>> Listen(GrpcServed target, const GrpcOptions& options);

  uint16_t port() const { return listener_.port(); }
  uint64_t accepted_count() const { return listener_.accepted_count(); }
  void Close(double patience_s) { listener_.Close(patience_s); }

  TRITONSERVER_Server* server() const { return target_.server; }
  SharedMemory& memory() const { return *target_.memory; }
  const ManagementService& service() const { return target_.service; }
  const GrpcOptions& options() const { return options_; }
  boost::asio::io_context& managers() { return listener_.managers(); }

 private:
  GrpcServer(GrpcServed target, const GrpcOptions& options);

  const GrpcServed target_;
  const GrpcOptions options_;
  Listener listener_;  // goes first
};

}  // namespace workbench
