// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// GrpcConnection: one client, whose calls share a connection of HTTP/2 (RFC 9113), which nghttp2 reads and
// writes. All on its loop's thread.
#pragma once

#include <nghttp2/nghttp2.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "endpoints/connection.h"
#include "endpoints/grpc/call.h"
#include "endpoints/grpc/frame_tracker.h"
#include "endpoints/grpc/method.h"
#include "endpoints/grpc/output_queue.h"
#include "endpoints/grpc/reset_budget.h"
#include "endpoints/loop.h"

namespace workbench {

class GrpcServer;

class GrpcConnection final : public Connection, public std::enable_shared_from_this<GrpcConnection> {
 public:
  using Clock = std::chrono::steady_clock;

  GrpcConnection(boost::asio::ip::tcp::socket socket, Loop* loop, GrpcServer* server);
  ~GrpcConnection() override;

  void Start() override;
  void Drain() override;
  void CloseIfSlow(Clock::time_point now) override;
  void Close() override;

  // For its calls.
  GrpcServer& server() const { return *server_; }
  Loop& loop() const { return *loop_; }
  void BeginReply(GrpcCall* call);
  // A reply of a status alone.
  void ReplyWithStatus(int32_t id, const GrpcStatus& status);
  // There is something to send again.
  void Resume(int32_t id);
  void Reset(int32_t id, uint32_t code);
  void LetSend(int32_t id, size_t byte_size);

 private:
  friend struct SessionCallbacks;
  struct DeleteSession {
    void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
  };

  void Read();
  bool ReadSome();
  // Writes what there is, before long: once for all that happens now.
  void FlushSoon();
  void Flush();
  void FlushNow();
  // False where the session or the socket is broken.
  bool Pump();
  void WaitToWrite();
  // All is said: goes when the client's machine has it, which a close at once could still take back.
  void Leave();
  void LeaveWhenHeard();

  // What nghttp2 found.
  void OnHead(int32_t id);
  void OnReset();
  void OnStreamClosed(int32_t id);
  std::shared_ptr<GrpcCall> MakeCall(int32_t id, GrpcMethod method, std::string_view name);
  void SubmitHead(const GrpcCall& call, const nghttp2_data_provider& provider);
  void SubmitTrailer(const GrpcCall& call, const GrpcStatus& status);

  boost::asio::ip::tcp::socket socket_;
  Loop* const loop_;
  GrpcServer* const server_;
  std::unique_ptr<nghttp2_session, DeleteSession> session_;
  std::unordered_map<int32_t, std::shared_ptr<GrpcCall>> calls_;
  GrpcHead head_;  // that is being read
  OutputQueue output_;
  ResetBudget resets_;
  FrameTracker frames_;
  bool is_within_session_ = false;  // nghttp2 calls; what is to be sent then goes out after it
  bool is_flushing_soon_ = false;
  bool is_waiting_to_write_ = false;
  bool is_waiting_to_read_ = false;
  bool is_writing_busy_ = false;
  bool is_leaving_ = false;
  Clock::time_point leaving_since_{};
  std::optional<boost::asio::steady_timer> leaving_;
  bool is_closed_ = false;
};

}  // namespace workbench
