// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/grpc_channel.h"

#include <sys/socket.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <optional>
#include <utility>

namespace workbench {

namespace asio = boost::asio;

GrpcChannel::GrpcChannel(asio::io_context& context, GrpcChannelOwner& owner, GrpcCallHead head)
    : context_(context), owner_(owner), socket_(context), session_(std::move(head)) {}

void GrpcChannel::Start() {
  Error ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  {
    MutexLock lock(&mutex_);
    if (!Write()) CloseSoon();
  }
  asio::post(context_, [self = shared_from_this()] { self->Read(); });
}

void GrpcChannel::Send(GrpcSending sending) {
  std::optional<Expected> refused;
  bool has_ended = false;
  {
    MutexLock lock(&mutex_);
    if (is_closed_) {
      refused = std::move(sending.expected);
    } else {
      session_.Submit(std::move(sending));
      if (!Write()) CloseSoon();
      has_ended = session_.has_ended();
    }
  }
  if (refused) owner_.OnEnded({*std::move(refused), StatusCode::kUnavailable});
  if (has_ended) Tell();
}

void GrpcChannel::Cancel() {
  {
    MutexLock lock(&mutex_);
    if (is_closed_) return;
    session_.EndAll(StatusCode::kCancelled);
    if (!Write()) CloseSoon();
  }
  asio::post(context_, [self = shared_from_this()] { self->Tell(); });
}

void GrpcChannel::Close(StatusCode status) {
  {
    MutexLock lock(&mutex_);
    if (!is_closed_) {
      is_closed_ = true;
      session_.EndAll(status);
      Error ignored;
      socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
      socket_.cancel(ignored);
    }
  }
  Tell();
}

void GrpcChannel::Read() {
  socket_.async_read_some(asio::buffer(read_),
                          [self = shared_from_this()](const Error& error, size_t byte_size) {
                            error ? self->Close(StatusCode::kUnavailable) : self->OnRead(byte_size);
                          });
}

void GrpcChannel::OnRead(size_t byte_size) {
  bool is_good;
  {
    MutexLock lock(&mutex_);
    if (is_closed_) return;
    is_good = session_.Receive({read_.data(), byte_size}) && Write();
  }
  Tell();
  is_good ? Read() : Close(StatusCode::kUnavailable);
}

bool GrpcChannel::Write() {
  while (!is_waiting_to_write_) {
    if (!session_.TakeOutput(&unsent_)) return false;
    if (unsent_.empty()) return true;
    const ssize_t sent =
        send(socket_.native_handle(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
    unsent_.erase(0, sent < 0 ? 0 : static_cast<size_t>(sent));
    if (!unsent_.empty()) WaitToWrite();
  }
  return true;
}

void GrpcChannel::WaitToWrite() {
  is_waiting_to_write_ = true;
  asio::post(context_, [self = shared_from_this()] {
    self->socket_.async_wait(asio::ip::tcp::socket::wait_write, [self](const Error& error) {
      bool is_good = !error;
      {
        MutexLock lock(&self->mutex_);
        self->is_waiting_to_write_ = false;
        is_good = is_good && !self->is_closed_ && self->Write();
      }
      if (!is_good) self->Close(StatusCode::kUnavailable);
    });
  });
}

void GrpcChannel::CloseSoon() {
  asio::post(context_, [self = shared_from_this()] { self->Close(StatusCode::kUnavailable); });
}

void GrpcChannel::Tell() {
  std::vector<Ended> ended;
  {
    MutexLock lock(&mutex_);
    ended = session_.TakeEnded();
  }
  for (const Ended& one : ended) owner_.OnEnded(one);
}

}  // namespace workbench
