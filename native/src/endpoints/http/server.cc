// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/server.h"

#include <utility>

#include "endpoints/http/connection.h"

namespace workbench {

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(ManagedServer managed, const HttpOptions& options) {
  std::unique_ptr<HttpServer> made(new HttpServer(std::move(managed), options));
  RETURN_IF_ERROR(made->listener_.Listen(options.address, options.port));
  return made;
}

HttpServer::HttpServer(ManagedServer managed, const HttpOptions& options)
    : managed_(std::move(managed)),
      options_(options),
      listener_(
          [this](boost::asio::ip::tcp::socket socket, Loop* loop) {
            return std::make_shared<HttpConnection>(std::move(socket), loop, this);
          },
          options.loop_count, "wb-http") {}

}  // namespace workbench
