// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HttpServer: the HTTP front door of one server: listens, spreads connections over its loops.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "endpoints/http/loop.h"
#include "endpoints/http/management.h"
#include "endpoints/http/options.h"
#include "triton/core/tritonserver.h"

namespace workbench {

class HttpServer {
 public:
  // INVALID_ARGUMENT for an address, UNAVAILABLE for a port that is taken.
  static Result<std::unique_ptr<HttpServer>> Listen(ManagedServer managed, const HttpOptions& options);
  ~HttpServer();  // NOLINT(bugprone-exception-escape): without memory to end with, the process ends

  uint16_t port() const { return port_; }
  // Refuses what is new, lets what is being served end for at most that long, then gives it up. Again:
  // nothing.
  void Close(double patience_s);

  TRITONSERVER_Server* server() const { return managed_.server; }
  SharedMemory& memory() const { return *managed_.memory; }
  const ManagedServer& managed() const { return managed_; }
  const HttpOptions& options() const { return options_; }
  // For what may take long or wait for the interpreter.
  boost::asio::thread_pool& managers() { return managers_; }

 private:
  HttpServer(ManagedServer managed, const HttpOptions& options);
  Status Bind();
  void Accept();
  int busy_count() const;

  const ManagedServer managed_;
  const HttpOptions options_;
  uint16_t port_ = 0;
  boost::asio::thread_pool managers_{2};
  std::vector<std::unique_ptr<HttpLoop>> loops_;
  std::unique_ptr<boost::asio::ip::tcp::acceptor> acceptor_;  // on the first loop
  size_t next_loop_ = 0;
  bool is_closed_ = false;
};

}  // namespace workbench
