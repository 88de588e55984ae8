// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/server.h"

#include <utility>

#include "endpoints/grpc/connection.h"

namespace workbench {

Result<std::unique_ptr<GrpcServer>> GrpcServer::Listen(GrpcServed target, const GrpcOptions& options) {
  std::unique_ptr<GrpcServer> made(new GrpcServer(std::move(target), options));
  RETURN_IF_ERROR(made->listener_.Listen(options.address, options.port));
  return made;
}

GrpcServer::GrpcServer(GrpcServed target, const GrpcOptions& options)
    : target_(std::move(target)),
      options_(options),
      listener_(
          [this](boost::asio::ip::tcp::socket socket, Loop* loop) {
            return std::make_shared<GrpcConnection>(std::move(socket), loop, this);
          },
          options.loop_count, "wb-grpc") {}

}  // namespace workbench
