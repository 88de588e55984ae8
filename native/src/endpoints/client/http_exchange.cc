// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/http_exchange.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <cerrno>
#include <limits>
#include <utility>

#include "endpoints/client/http_request.h"

namespace workbench {

namespace asio = boost::asio;
namespace http = boost::beast::http;

HttpExchange::HttpExchange(asio::io_context& context, HttpExchangeOwner& owner)
    : context_(context), owner_(owner), socket_(context) {}

void HttpExchange::Start() {
  Error ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  asio::post(context_, [self = shared_from_this()] { self->ReadHead(); });
}

void HttpExchange::Connect(const asio::ip::tcp::endpoint& endpoint, HttpSending first) {
  Expect(std::move(first.expected));
  socket_.async_connect(endpoint, [self = shared_from_this(), first = std::move(first)](const Error& error) {
    if (error || self->is_closed_.load()) return self->Close(StatusCode::kUnavailable);
    self->Start();
    self->Write(first);
  });
}

void HttpExchange::Send(HttpSending sending) {
  Expect(std::move(sending.expected));
  // The server may have closed the connection between two requests.
  if (is_closed_.load()) {
    return asio::post(context_, [self = shared_from_this()] { self->Close(StatusCode::kUnavailable); });
  }
  Write(sending);
}

void HttpExchange::Expect(Expected expected) {
  expected_ = std::move(expected);
  is_busy_.store(true);
}

// From here on the answer may come at any time: nothing is read that belongs to whoever takes it.
void HttpExchange::Write(const HttpSending& sending) {
  const std::string_view head = sending.head_bytes();
  const std::string_view tensors = sending.tensors;
  std::array<iovec, 2> parts{
      {{const_cast<char*>(head.data()), head.size()}, {const_cast<char*>(tensors.data()), tensors.size()}}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  const ssize_t sent = sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  const size_t written = sent < 0 ? 0 : static_cast<size_t>(sent);
  if (written == head.size() + tensors.size()) return;
  if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
    return asio::post(context_, [self = shared_from_this()] { self->Close(StatusCode::kUnavailable); });
  }
  std::string rest(head.substr(std::min(written, head.size())));
  rest += tensors.substr(written > head.size() ? written - head.size() : 0);
  asio::post(context_, [self = shared_from_this(), rest = std::move(rest)]() mutable {
    self->WriteRest(std::move(rest));
  });
}

void HttpExchange::WriteRest(std::string rest) {
  if (is_closed_.load()) return;
  rest_ = std::move(rest);
  is_writing_rest_ = true;
  asio::async_write(socket_, asio::buffer(rest_), [self = shared_from_this()](const Error& error, size_t) {
    self->is_writing_rest_ = false;
    if (error) self->Close(StatusCode::kUnavailable);
  });
}

void HttpExchange::ReadHead() {
  parser_.emplace();
  parser_->body_limit(std::numeric_limits<uint64_t>::max());
  http::async_read_header(socket_, buffer_, *parser_,
                          [self = shared_from_this()](const Error& error, size_t) {
                            error ? self->Close(StatusCode::kUnavailable) : self->ReadBody();
                          });
}

void HttpExchange::ReadBody() {
  if (parser_->is_done()) return OnBody({});
  auto& body = parser_->get().body();
  body.data = scratch_.data();
  body.size = scratch_.size();
  http::async_read(socket_, buffer_, *parser_,
                   [self = shared_from_this()](const Error& error, size_t) { self->OnBody(error); });
}

void HttpExchange::OnBody(const Error& error) {
  if (error == http::error::need_buffer) return ReadBody();
  if (error) return Close(StatusCode::kUnavailable);
  const StatusCode status = StatusOfHttp(parser_->get().result_int());
  // A server that answers before it has read all wants no more on this connection.
  if (!parser_->keep_alive() || is_writing_rest_) return Close(status);
  const std::optional<Expected> answered = Take();
  if (!answered) return Close(StatusCode::kUnavailable);  // a reply that nobody asked for
  ReadHead();
  owner_.OnFree(shared_from_this(), *answered, status);
}

std::optional<Expected> HttpExchange::Take() {
  if (!is_busy_.exchange(false)) return std::nullopt;
  return std::exchange(expected_, {});
}

void HttpExchange::Close(StatusCode status) {
  if (!is_closed_.exchange(true)) {
    Error ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    socket_.cancel(ignored);
    owner_.OnClosed(shared_from_this());
  }
  if (const std::optional<Expected> lost = Take()) owner_.End(*lost, status);
}

}  // namespace workbench
