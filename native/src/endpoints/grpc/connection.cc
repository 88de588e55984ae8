// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/connection.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <utility>
#include <vector>

#include "endpoints/grpc/server.h"
#include "endpoints/grpc/session.h"

namespace workbench {

namespace asio = boost::asio;
using Error = boost::system::error_code;

namespace {

constexpr size_t kReadSize = size_t{256} << 10;
constexpr int kReadsAtOnce = 16;                 // then others have their turn
constexpr int kFarewell = 1;                     // the end of a connection counts as a byte
constexpr size_t kMostOutput = size_t{1} << 20;  // a client that does not read is not read from

}  // namespace

GrpcConnection::GrpcConnection(asio::ip::tcp::socket socket, Loop* loop, GrpcServer* server)
    : socket_(std::move(socket)), loop_(loop), server_(server), frames_(Clock::now()) {}

GrpcConnection::~GrpcConnection() { loop_->Forget(this); }

void GrpcConnection::Start() {
  Error ignored;
  socket_.set_option(asio::socket_base::keep_alive(true), ignored);
  session_.reset(NewSession(this));
  if (session_ == nullptr || loop_->is_draining()) return Close();
  Flush();
  Read();
}

void GrpcConnection::Read() {
  if (is_closed_ || is_waiting_to_read_ || output_.byte_size() > kMostOutput) return;
  is_waiting_to_read_ = true;
  socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](const Error& error) {
    self->is_waiting_to_read_ = false;
    if (error || self->is_closed_) return;
    const bool is_alive = self->ReadSome();
    self->Flush();
    is_alive ? self->Read() : self->Close();
  });
}

bool GrpcConnection::ReadSome() {
  std::vector<char>& room = loop_->room(kReadSize);
  for (int i = 0; i < kReadsAtOnce; ++i) {
    const ssize_t count = recv(socket_.native_handle(), room.data(), room.size(), MSG_DONTWAIT);
    if (count == 0) return false;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    const std::string_view bytes(room.data(), static_cast<size_t>(count));
    frames_.Take(bytes, Clock::now());
    is_within_session_ = true;
    const ssize_t taken = nghttp2_session_mem_recv(
        session_.get(), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    is_within_session_ = false;
    if (taken < 0) return false;
    if (bytes.size() < room.size()) return true;
  }
  return true;
}

void GrpcConnection::FlushSoon() {
  if (is_closed_ || is_within_session_ || std::exchange(is_flushing_soon_, true)) return;
  asio::post(loop_->context(), [self = shared_from_this()] {
    self->is_flushing_soon_ = false;
    self->Flush();
  });
}

void GrpcConnection::Flush() {
  if (is_closed_ || is_leaving_) return;
  loop_->CountBusy(1);  // a call that ends meanwhile is not yet written
  FlushNow();
  loop_->CountBusy(-1);
}

void GrpcConnection::FlushNow() {
  if (!Pump()) return Close();
  if (!output_.empty()) WaitToWrite();
  if (is_writing_busy_ == output_.empty()) {
    is_writing_busy_ = !output_.empty();
    loop_->CountBusy(is_writing_busy_ ? 1 : -1);
  }
  const bool is_over =
      nghttp2_session_want_read(session_.get()) == 0 && nghttp2_session_want_write(session_.get()) == 0;
  const bool is_done = is_over || (loop_->is_draining() && calls_.empty());
  if (is_done && output_.empty()) Leave();
}

void GrpcConnection::Leave() {
  if (std::exchange(is_leaving_, true)) return;
  loop_->CountBusy(1);
  leaving_since_ = Clock::now();
  Error ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  LeaveWhenHeard();
}

void GrpcConnection::LeaveWhenHeard() {
  int unheard = 0;
  if (ioctl(socket_.native_handle(), SIOCOUTQ, &unheard) != 0 || unheard <= kFarewell) return Close();
  if (!leaving_) leaving_.emplace(loop_->context());
  leaving_->expires_after(std::chrono::milliseconds(5));
  leaving_->async_wait([self = shared_from_this()](const Error& error) {
    if (!error && !self->is_closed_) self->LeaveWhenHeard();
  });
}

bool GrpcConnection::Pump() {
  bool was_full = true;
  while (was_full && output_.byte_size() < kMostOutput) {
    ssize_t count = 1;
    is_within_session_ = true;
    while (count > 0 && output_.byte_size() < kMostOutput) {
      const uint8_t* bytes = nullptr;
      count = nghttp2_session_mem_send(session_.get(), &bytes);
      if (count > 0) output_.Copy({reinterpret_cast<const char*>(bytes), static_cast<size_t>(count)});
    }
    is_within_session_ = false;
    was_full = output_.byte_size() >= kMostOutput;
    if (count < 0 || !output_.WriteTo(socket_.native_handle())) return false;
  }
  return true;
}

void GrpcConnection::WaitToWrite() {
  if (std::exchange(is_waiting_to_write_, true)) return;
  socket_.async_wait(asio::socket_base::wait_write, [self = shared_from_this()](const Error& error) {
    self->is_waiting_to_write_ = false;
    if (error) return self->Close();
    self->Flush();
    self->Read();
  });
}

void GrpcConnection::Drain() {
  if (is_closed_) return;
  nghttp2_submit_goaway(session_.get(), NGHTTP2_FLAG_NONE,
                        nghttp2_session_get_last_proc_stream_id(session_.get()), NGHTTP2_NO_ERROR, nullptr,
                        0);
  const auto calls = calls_;
  for (const auto& [id, call] : calls) call->Drain();
  Flush();
}

void GrpcConnection::CloseIfSlow(Clock::time_point now) {
  const unsigned limit_s = server_->options().slow_client_s;
  if (frames_.is_within() && now - frames_.since() > std::chrono::seconds(limit_s)) return Close();
  if (is_leaving_ && now - leaving_since_ > std::chrono::seconds(limit_s)) return Close();
  if (calls_.empty()) return;
  const auto calls = calls_;
  for (const auto& [id, call] : calls) call->EndIfSlow(now, limit_s);
}

void GrpcConnection::Close() {
  if (std::exchange(is_closed_, true)) return;
  for (const auto& [id, call] : std::exchange(calls_, {})) call->Leave();
  if (std::exchange(is_writing_busy_, false)) loop_->CountBusy(-1);
  if (is_leaving_) loop_->CountBusy(-1);
  leaving_.reset();
  Error ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

}  // namespace workbench
