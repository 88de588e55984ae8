// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HttpConnection: one client. Reads a request, has it served, writes the reply, and reads the next: a
// connection has one request at a time, so replies keep the order of requests that were sent ahead.
// All on its loop's thread.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "endpoints/compression.h"
#include "endpoints/http/event_stream.h"
#include "endpoints/http/reply.h"
#include "endpoints/http/route.h"
#include "endpoints/inference.h"
#include "endpoints/loop.h"

namespace workbench {

class HttpServer;

class HttpConnection final : public Connection,
                             public InferenceClient,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(boost::asio::ip::tcp::socket socket, Loop* loop, HttpServer* server);
  ~HttpConnection() override;

  void Start() override { Read(); }
  // Of the inference that is being served.
  void Send() override;
  void OnAnswer(bool is_last) override;
  void WatchIfLong() override;
  // Tells the client, which need not wait until the core lets go of the inference.
  void GiveUp() override;
  void Drain() override;
  void CloseIfSlow(std::chrono::steady_clock::time_point now) override;
  void Close() override;

 private:
  using HeadParser = boost::beast::http::request_parser<boost::beast::http::empty_body>;
  using ChunkParser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using Error = boost::system::error_code;

  void Read();
  void OnHead(const Error& error);
  void ReadBody();
  // Straight into its place: a large tensor is not copied on its way.
  void ReadBytes(size_t byte_size);
  void ReadChunks();
  void OnRequest(const Error& error);
  // Whether the reply is on its way already, since the request can not be served.
  bool Refuse(const Error& error);
  void Serve();
  Status Unpack();
  bool IsAllowed() const;
  void ReplyLater(std::function<HttpReply()> serve);
  void ServeMetrics();
  void Manage(HttpRoute route);
  void Infer(const HttpRoute& route);
  Status BeginInference(const HttpRoute& route);
  Status BeginInfer(const std::string& model, int64_t version);
  Status BeginGenerate(const std::string& model, int64_t version);
  Status ReadInference();
  // The client may go away meanwhile.
  void WatchClient();
  void StopWatching();
  void BeginTrace();
  // What the client wished to be told beside the answer.
  void AddWishes(HttpReply* reply) const;
  void EndGivenUp();
  void Stream(bool is_last);
  void WriteStream();
  void Reply(HttpReply reply);
  void Pack();
  void WriteHead();
  void OnWritten(const Error& error);
  const boost::beast::http::request_header<>& Head() const;
  std::string_view Field(std::string_view name) const;

  boost::asio::ip::tcp::socket socket_;
  Loop* const loop_;
  HttpServer* const server_;
  boost::beast::flat_buffer buffer_;
  std::optional<HeadParser> parser_;
  std::optional<ChunkParser> chunk_parser_;  // of a body without a length
  std::chrono::steady_clock::time_point reading_since_{};
  bool is_reading_body_ = false;
  bool keeps_alive_ = false;
  bool is_serving_ = false;
  bool is_given_up_ = false;  // the client was told; the core may still read the body
  bool is_last_ = false;      // the connection ends with this reply
  bool is_batched_ = false;
  std::unique_ptr<char[]> bytes_;  // of a body with a length
  std::string text_;               // of one in chunks, or packed
  std::string_view body_;          // in one of those
  std::unique_ptr<Inference> inference_;
  uint64_t head_ns_ = 0;                      // when the head was there; 0: nothing is traced
  std::shared_ptr<TraceBridge> trace_;        // of the inference, until its answer is written
  int looks_ = 0;                             // at the inference since it was sent
  HttpAction action_ = HttpAction::kUnknown;  // of the inference
  EventStream stream_;
  bool is_writing_ = false;  // of the stream
  HttpReply reply_;
  ContentCoding reply_coding_ = ContentCoding::kNone;
  std::string head_;
};

}  // namespace workbench
