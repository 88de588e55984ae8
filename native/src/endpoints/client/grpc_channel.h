// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// GrpcChannel: one connection to a server, on which any number of calls are under way. A sender's own thread
// writes, so that a request leaves at its time; replies are read on the loop's thread. The target owns it;
// handlers on their way keep it, too.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "endpoints/client/grpc_session.h"

namespace workbench {

// Who is told, without a lock, of what ended.
class GrpcChannelOwner {
 public:
  virtual ~GrpcChannelOwner() = default;
  virtual void OnEnded(const Ended& ended) = 0;
};

class GrpcChannel final : public std::enable_shared_from_this<GrpcChannel> {
 public:
  GrpcChannel(boost::asio::io_context& context, GrpcChannelOwner& owner, GrpcCallHead head);

  boost::asio::ip::tcp::socket& socket() { return socket_; }
  // Reads replies from now on. REQUIRES: the socket is connected.
  void Start() EXCLUDES(mutex_);
  // Any thread.
  void Send(GrpcSending sending) EXCLUDES(mutex_);
  void Cancel() EXCLUDES(mutex_);
  // On the loop's thread. The socket itself is closed with the channel: a sender may be about to write to it.
  void Close(StatusCode status) EXCLUDES(mutex_);

 private:
  using Error = boost::system::error_code;

  void Read();
  void OnRead(size_t byte_size) EXCLUDES(mutex_);
  // Writes what there is and the socket takes at once; the order of bytes is that of the lock. False where
  // the connection is of no more use.
  bool Write() REQUIRES(mutex_);
  void WaitToWrite() REQUIRES(mutex_);
  void CloseSoon();
  void Tell() EXCLUDES(mutex_);

  boost::asio::io_context& context_;
  GrpcChannelOwner& owner_;
  boost::asio::ip::tcp::socket socket_;
  std::array<char, 64 << 10> read_;  // the loop's thread alone

  Mutex mutex_;
  GrpcClientSession session_ GUARDED_BY(mutex_);
  std::string unsent_ GUARDED_BY(mutex_);
  bool is_waiting_to_write_ GUARDED_BY(mutex_) = false;
  bool is_closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace workbench
