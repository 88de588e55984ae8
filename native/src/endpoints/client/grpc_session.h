// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// GrpcClientSession: unary calls over one connection of HTTP/2, without the connection: bytes go in and come
// out. Owned and guarded by a channel.
#pragma once

#include <nghttp2/nghttp2.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "endpoints/client/expected.h"

namespace workbench {

// What all calls of a channel have in common.
struct GrpcCallHead {
  std::string authority;
  std::string token;  // empty: none
};

// A request on its way.
struct GrpcSending {
  Expected expected;
  std::string_view message;  // of the sample, which outlives it
  std::string parameters;    // that follow it
};

class GrpcClientSession {
 public:
  explicit GrpcClientSession(GrpcCallHead head);
  ~GrpcClientSession();
  GrpcClientSession(const GrpcClientSession&) = delete;
  GrpcClientSession& operator=(const GrpcClientSession&) = delete;

  void Submit(GrpcSending sending);
  // What came. False where the connection is of no more use.
  bool Receive(std::string_view bytes);
  // Adds what is to be sent, some hundred kilobytes at most. False where the connection is of no more use.
  bool TakeOutput(std::string* bytes);
  // Calls on their way end now, with that status.
  void EndAll(StatusCode status);
  // Calls that ended since.
  bool has_ended() const { return !ended_.empty(); }
  std::vector<Ended> TakeEnded();

 private:
  friend struct ClientCallbacks;
  struct Call;
  struct DeleteSession {
    void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
  };

  const GrpcCallHead head_;
  std::unordered_map<int32_t, std::unique_ptr<Call>> calls_;
  std::vector<Ended> ended_;
  std::unique_ptr<nghttp2_session, DeleteSession> session_;  // goes first: its end speaks to the calls
};

}  // namespace workbench
