// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HttpServer: the HTTP front door of one server.
#pragma once

#include <memory>

#include "base/result.h"
#include "endpoints/http/management.h"
#include "endpoints/http/options.h"
#include "endpoints/listener.h"
#include "triton/core/tritonserver.h"

namespace workbench {

class HttpServer {
 public:
  // INVALID_ARGUMENT for an address, UNAVAILABLE for a port that is taken.
  static Result<std::unique_ptr<HttpServer>> Listen(ManagedServer managed, const HttpOptions& options);

  uint16_t port() const { return listener_.port(); }
  uint64_t accepted_count() const { return listener_.accepted_count(); }
  void Close(double patience_s) { listener_.Close(patience_s); }

  TRITONSERVER_Server* server() const { return managed_.server; }
  SharedMemory& memory() const { return *managed_.memory; }
  const ManagedServer& managed() const { return managed_; }
  const HttpOptions& options() const { return options_; }
  boost::asio::io_context& managers() { return listener_.managers(); }

 private:
  HttpServer(ManagedServer managed, const HttpOptions& options);

  const ManagedServer managed_;
  const HttpOptions options_;
  Listener listener_;  // goes first
};

}  // namespace workbench
