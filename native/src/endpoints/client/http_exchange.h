// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HttpExchange: one connection to a server, with one request at a time. A sender's own thread writes, so that
// a request leaves at its time; replies are read on the loop's thread. The target owns it; handlers on their
// way keep it, too.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "endpoints/client/expected.h"

namespace workbench {

class HttpExchange;

// A request on its way to an exchange.
struct HttpSending {
  Expected expected;
  std::string own_head;      // of a request of a sequence
  std::string_view head;     // this or the sample's, which outlives it; so do the tensors
  std::string_view tensors;  // of the sample

  std::string_view head_bytes() const { return own_head.empty() ? head : std::string_view(own_head); }
};

// Who sends, as its exchanges see it.
class HttpExchangeOwner {
 public:
  virtual ~HttpExchangeOwner() = default;
  // All on the loop's thread. The request was answered, and the exchange is free for the next.
  virtual void OnFree(const std::shared_ptr<HttpExchange>& exchange, const Expected& answered,
                      StatusCode status) = 0;
  // It takes no more requests.
  virtual void OnClosed(const std::shared_ptr<HttpExchange>& exchange) = 0;
  // No answer will come any more.
  virtual void End(const Expected& expected, StatusCode status) = 0;
};

class HttpExchange final : public std::enable_shared_from_this<HttpExchange> {
 public:
  HttpExchange(boost::asio::io_context& context, HttpExchangeOwner& owner);

  boost::asio::ip::tcp::socket& socket() { return socket_; }
  // Reads replies from now on. REQUIRES: the socket is connected.
  void Start();
  // Connects, and is free then. On the loop's thread.
  void Connect(const boost::asio::ip::tcp::endpoint& endpoint, HttpSending first);
  // Any one thread. REQUIRES: it is free.
  void Send(HttpSending sending);
  // On the loop's thread: ends the request on its way, if any, with the status. The socket itself is closed
  // with the exchange: a sender may be about to write to it.
  void Close(StatusCode status);

 private:
  using Error = boost::system::error_code;
  using Parser = boost::beast::http::response_parser<boost::beast::http::buffer_body>;

  void Expect(Expected expected);
  void Write(const HttpSending& sending);
  // What the socket did not take at once.
  void WriteRest(std::string rest);
  void ReadHead();
  void ReadBody();
  void OnBody(const Error& error);
  // The request on its way, for whoever comes first.
  std::optional<Expected> Take();

  boost::asio::io_context& context_;
  HttpExchangeOwner& owner_;
  boost::asio::ip::tcp::socket socket_;

  // The loop's thread alone.
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::array<char, 16 << 10> scratch_;  // bodies are read, not kept
  std::string rest_;
  bool is_writing_rest_ = false;

  Expected expected_;  // the sender's until is_busy_, then of whoever takes it
  std::atomic<bool> is_busy_{false};
  std::atomic<bool> is_closed_{false};
};

}  // namespace workbench
