// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// GrpcCall: one call of a client, which is one stream of HTTP/2: messages in, messages and a status out. What
// they mean is what kinds of calls differ in. All on the loop's thread.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "endpoints/grpc/head.h"
#include "endpoints/grpc/infer_response.h"
#include "endpoints/grpc/message_reader.h"
#include "endpoints/grpc/output_queue.h"
#include "endpoints/grpc/status.h"

namespace workbench {

class GrpcConnection;
class GrpcServer;
class Loop;

class GrpcCall : public std::enable_shared_from_this<GrpcCall> {
 public:
  using Clock = std::chrono::steady_clock;

  // The connection tells by Leave when it is no longer there.
  GrpcCall(GrpcConnection* connection, int32_t id, const GrpcHead& head);
  virtual ~GrpcCall();
  GrpcCall(const GrpcCall&) = delete;
  GrpcCall& operator=(const GrpcCall&) = delete;

  int32_t id() const { return id_; }
  // Once, when it is in its place.
  // compression_level: of its answers; 0: none.
  void Start(int compression_level);
  void Receive(std::string_view bytes);
  void ReceiveEnd();
  // The door closes: what waits for its client ends now.
  virtual void Drain() {}
  // Ends where a message takes longer to arrive.
  void EndIfSlow(Clock::time_point now, unsigned limit_s);
  // The stream is no more.
  void Leave();

  // How many bytes of messages there are to send, at most that many.
  size_t CountToSend(size_t limit) const;
  void TakeToSend(size_t byte_size, OutputQueue* output);
  bool is_idle() const { return outgoing_size_ == 0 && !end_; }
  // The status, once no message is left after `byte_size` more bytes.
  const GrpcStatus* EndAfter(size_t byte_size) const {
    return end_ && byte_size == outgoing_size_ ? &*end_ : nullptr;
  }
  ContentCoding reply_coding() const { return reply_coding_; }
  // Name and value of metadata that goes with the status of an answered call.
  using Metadata = std::vector<std::pair<std::string, std::string>>;
  const Metadata& trailing() const { return trailing_; }
  // Too much is under way: the client shall send no more for now.
  virtual bool is_choked() const { return false; }
  // Counts what was received and lets the client send as much again, unless it is choked.
  void Consume(size_t byte_size);
  void Finish(GrpcStatus status);

 protected:
  virtual void OnMessage(ByteBuffer message) = 0;
  // The client sends no more.
  virtual void OnAllReceived() = 0;
  // Nobody waits any more.
  virtual void OnAbandoned() = 0;

  // Whether the client has begun something by calling, and not only by a message.
  virtual bool must_send() const { return true; }
  // Whether there is someone to answer.
  bool is_open() const { return connection_ != nullptr && !end_; }
  void Write(const OutgoingRef& message);
  // REQUIRES: not finished.
  void AddTrailing(std::string name, std::string value) {
    trailing_.emplace_back(std::move(name), std::move(value));
  }
  const GrpcHead& head() const { return head_; }
  // When the message that came last began to arrive.
  Clock::time_point reading_since() const { return reading_since_; }
  // What may be told no more: the client is to drop what it has.
  void Reset(uint32_t code);
  void SetBusy(bool is_busy);
  GrpcConnection* connection() const { return connection_; }
  GrpcServer& server() const;
  Loop& loop() const;
  size_t unread_byte_size() const { return outgoing_size_; }

 private:
  void StartTimer();
  void BeginReply();

  GrpcConnection* connection_;
  const int32_t id_;
  const GrpcHead head_;
  MessageReader reader_;
  ContentCoding reply_coding_ = ContentCoding::kNone;
  std::optional<boost::asio::steady_timer> deadline_;
  Clock::time_point reading_since_;
  bool has_remote_ended_ = false;
  bool is_busy_ = false;
  size_t withheld_ = 0;  // bytes that were received, and not yet let go

  std::deque<OutgoingRef> outgoing_;
  size_t sent_of_first_ = 0;
  size_t outgoing_size_ = 0;
  int compression_level_ = 0;
  bool has_begun_ = false;  // the reply's head is on its way
  Metadata trailing_;
  std::optional<GrpcStatus> end_;
};

}  // namespace workbench
