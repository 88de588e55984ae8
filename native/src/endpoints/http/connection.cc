// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/connection.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "endpoints/bridge.h"
#include "endpoints/http/management.h"
#include "endpoints/http/metrics_page.h"
#include "endpoints/http/server.h"

namespace workbench {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr size_t kHeadLimit = size_t{64} << 10;
constexpr size_t kKeptBuffer = size_t{64} << 10;  // an idle connection keeps no more

}  // namespace

HttpConnection::HttpConnection(asio::ip::tcp::socket socket, Loop* loop, HttpServer* server)
    : socket_(std::move(socket)), loop_(loop), server_(server) {}

HttpConnection::~HttpConnection() { loop_->Forget(this); }

const http::request_header<>& HttpConnection::Head() const {
  return chunk_parser_ ? chunk_parser_->get().base() : parser_->get().base();
}

std::string_view HttpConnection::Field(std::string_view name) const {
  const auto value = Head()[boost::beast::string_view(name.data(), name.size())];
  return {value.data(), value.size()};
}

void HttpConnection::Read() {
  chunk_parser_.reset();
  parser_.emplace();
  parser_->header_limit(kHeadLimit);
  parser_->body_limit(server_->options().max_body_byte_size);
  if (buffer_.capacity() > kKeptBuffer && buffer_.size() == 0) buffer_ = boost::beast::flat_buffer();
  reading_since_ = {};
  http::async_read_header(socket_, buffer_, *parser_,
                          [self = shared_from_this()](const Error& error, size_t) { self->OnHead(error); });
}

void HttpConnection::OnHead(const Error& error) {
  if (Refuse(error)) return;
  head_ns_ = TheBridge().is_tracing(server_->server()) ? SteadyClock::Read() : 0;
  if (Field("Expect") != "100-continue") return ReadBody();
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(kContinue),
                    [self = shared_from_this()](const Error& failed, size_t) {
                      failed ? self->Close() : self->ReadBody();
                    });
}

void HttpConnection::ReadBody() {
  body_ = {};
  is_reading_body_ = true;
  keeps_alive_ = parser_->keep_alive();
  if (parser_->chunked()) return ReadChunks();
  const auto length = parser_->content_length();
  if (!length || *length == 0) return OnRequest({});
  if (*length > server_->options().max_body_byte_size) return OnRequest(http::error::body_limit);
  ReadBytes(*length);
}

void HttpConnection::ReadBytes(size_t byte_size) {
  bytes_.reset(new char[byte_size]);
  body_ = {bytes_.get(), byte_size};
  const size_t there = std::min(byte_size, buffer_.size());
  std::memcpy(bytes_.get(), buffer_.data().data(), there);
  buffer_.consume(there);
  if (there == byte_size) return OnRequest({});
  asio::async_read(socket_, asio::buffer(bytes_.get() + there, byte_size - there),
                   [self = shared_from_this()](const Error& error, size_t) { self->OnRequest(error); });
}

void HttpConnection::ReadChunks() {
  chunk_parser_.emplace(std::move(*parser_));
  chunk_parser_->body_limit(server_->options().max_body_byte_size);
  http::async_read(socket_, buffer_, *chunk_parser_, [self = shared_from_this()](const Error& error, size_t) {
    self->text_ = std::move(self->chunk_parser_->get().body());
    self->body_ = self->text_;
    self->OnRequest(error);
  });
}

bool HttpConnection::Refuse(const Error& error) {
  if (!error) return false;
  is_last_ = true;
  if (error == http::error::body_limit) {
    Reply(ErrorReply(400, "the body has more than " + std::to_string(server_->options().max_body_byte_size) +
                              " bytes, which is the limit"));
  } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    Reply(ErrorReply(431, "the head of the request has more than " + std::to_string(kHeadLimit) + " bytes"));
  } else if (error.category() == make_error_code(http::error::bad_method).category() &&
             error != http::error::end_of_stream && error != http::error::partial_message) {
    Reply(ErrorReply(400, "the request is no HTTP/1.1: " + error.message()));
  } else {
    Close();
  }
  return true;
}

void HttpConnection::OnRequest(const Error& error) {
  if (Refuse(error)) return;
  is_reading_body_ = false;
  is_last_ = !keeps_alive_ || loop_->is_draining();
  is_serving_ = true;
  loop_->CountBusy(1);
  Serve();
}

bool HttpConnection::IsAllowed() const {
  const std::string& token = server_->options().token;
  return token.empty() || Field("Authorization") == "Bearer " + token;
}

void HttpConnection::Serve() {
  const HttpOptions& options = server_->options();
  const auto target = Head().target();
  reply_coding_ = CodingAccepted(Field("Accept-Encoding"));
  if (!IsAllowed()) return Reply(ErrorReply(401, "the token is missing or wrong: Authorization: Bearer ..."));
  if (options.serves_metrics && target == "/metrics") return ServeMetrics();
  const HttpRoute route = options.serves_inference ? RouteOf({target.data(), target.size()}) : HttpRoute();
  if (route.action == HttpAction::kUnknown) {
    return Reply(ErrorReply(404, "there is nothing at '" + std::string(target) + "'"));
  }
  const http::verb method = Head().method();
  const bool is_right = (method == http::verb::get && IsGet(route.action)) ||
                        (method == http::verb::post && IsPost(route.action));
  if (!is_right)
    return Reply(ErrorReply(405, "method " + std::string(Head().method_string()) + " is not served at '" +
                                     std::string(target) + "'"));
  if (route.action == HttpAction::kServerLive) return Reply(HttpReply());
  const Status status = Unpack();
  if (!status.ok()) return Reply(ErrorReply(status));
  const bool is_inference = route.action == HttpAction::kInfer || route.action == HttpAction::kGenerate ||
                            route.action == HttpAction::kGenerateStream;
  is_inference ? Infer(route) : Manage(route);
}

Status HttpConnection::Unpack() {
  ASSIGN_OR_RETURN(const ContentCoding coding, CodingNamed(Field("Content-Encoding")));
  if (coding == ContentCoding::kNone) return OkStatus();
  ASSIGN_OR_RETURN(text_, Decompress(body_, coding, server_->options().max_body_byte_size));
  body_ = text_;
  return OkStatus();
}

// What may take long, or wait for the interpreter, keeps no loop. The connection moves on: its end is the
// loop's business alone.
void HttpConnection::ReplyLater(std::function<HttpReply()> serve) {
  asio::post(server_->managers(), [self = shared_from_this(), serve = std::move(serve)]() mutable {
    HttpReply reply = serve();
    asio::io_context& context = self->loop_->context();
    asio::post(context, [self = std::move(self), reply = std::move(reply)]() mutable {
      self->Reply(std::move(reply));
    });
  });
}

void HttpConnection::ServeMetrics() {
  ReplyLater([this] { return MetricsPage(server_->server()); });
}

void HttpConnection::Manage(HttpRoute route) {
  reply_coding_ = ContentCoding::kNone;  // clients unpack answers to inferences alone
  const bool is_get = Head().method() == http::verb::get;
  std::optional<std::string> body = is_get ? std::nullopt : std::make_optional(std::string(body_));
  ReplyLater([this, route = std::move(route), body = std::move(body)] {
    return workbench::Manage(server_->managed(), route, body);
  });
}

void HttpConnection::Reply(HttpReply reply) {
  reply_ = std::move(reply);
  Pack();
  WriteHead();
  if (trace_ != nullptr) trace_->Report("HTTP_SEND_START", SteadyClock::Read());
  std::vector<asio::const_buffer> parts{asio::buffer(head_), asio::buffer(reply_.body)};
  parts.insert(parts.end(), reply_.tail.begin(), reply_.tail.end());
  asio::async_write(socket_, parts,
                    [self = shared_from_this()](const Error& error, size_t) { self->OnWritten(error); });
}

void HttpConnection::Pack() {
  if (reply_coding_ == ContentCoding::kNone || reply_.byte_size() == 0 || reply_.status != 200) {
    reply_coding_ = ContentCoding::kNone;
    return;
  }
  std::string whole = std::move(reply_.body);
  for (const asio::const_buffer& part : reply_.tail)
    whole.append(static_cast<const char*>(part.data()), part.size());
  Result<std::string> packed = Compress(whole, reply_coding_);
  if (!packed.ok()) reply_coding_ = ContentCoding::kNone;
  reply_.body = packed.ok() ? std::move(packed).value() : std::move(whole);
  reply_.tail.clear();
}

void HttpConnection::WriteHead() {
  head_ = "HTTP/1.1 " + std::to_string(reply_.status) + ' ' + ReasonOf(reply_.status) + "\r\nContent-Type: ";
  head_ += reply_.content_type;
  if (reply_.json_size)
    head_.append("\r\n").append(kJsonSizeHeader).append(": ") += std::to_string(*reply_.json_size);
  for (const auto& [name, value] : reply_.fields) head_.append("\r\n").append(name).append(": ") += value;
  if (reply_coding_ != ContentCoding::kNone) head_.append("\r\nContent-Encoding: ") += NameOf(reply_coding_);
  is_last_ = is_last_ || loop_->is_draining();
  if (is_last_) head_ += "\r\nConnection: close";
  head_.append("\r\nContent-Length: ").append(std::to_string(reply_.byte_size())) += "\r\n\r\n";
}

void HttpConnection::OnWritten(const Error& error) {
  if (is_given_up_ && inference_ != nullptr) return Close();
  if (trace_ != nullptr) trace_->Report("HTTP_SEND_END", SteadyClock::Read());
  trace_.reset();
  reply_ = HttpReply();
  stream_ = EventStream();
  bytes_.reset();
  text_ = std::string();
  if (std::exchange(is_serving_, false)) loop_->CountBusy(-1);
  if (error || is_last_ || loop_->is_draining()) return Close();
  Read();
}

void HttpConnection::Drain() {
  if (!is_serving_) Close();
}

void HttpConnection::CloseIfSlow(std::chrono::steady_clock::time_point now) {
  const bool is_reading = !is_serving_ && (is_reading_body_ || parser_->got_some());
  if (!is_reading) {
    reading_since_ = {};
  } else if (reading_since_ == std::chrono::steady_clock::time_point()) {
    reading_since_ = now;
  } else if (now - reading_since_ > std::chrono::seconds(server_->options().slow_client_s)) {
    Close();
  }
}

void HttpConnection::Close() {
  Error ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

}  // namespace workbench
