// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HealthWatchCall: tells a client whether the server is ready, now and whenever that changes, until it leaves
// (https://github.com/grpc/grpc/blob/master/doc/health-checking.md). As with Check, whatever service is asked
// for.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <string>

#include "endpoints/grpc/unary_calls.h"

namespace workbench {

class HealthWatchCall final : public UnaryCall {
 public:
  using UnaryCall::UnaryCall;

  void Drain() override;

 private:
  void Serve(ByteBuffer message) override;
  void OnAbandoned() override { timer_.reset(); }
  // Asks the control plane, on a thread of its own.
  void Ask();
  void AskLater();
  void Tell(const GrpcAnswer& answer);
  void WriteOnce(const std::string& message);

  ByteBuffer asked_;
  std::optional<std::string> told_;
  std::optional<boost::asio::steady_timer> timer_;
};

}  // namespace workbench
