// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/health_watch.h"

#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "endpoints/grpc/server.h"

namespace workbench {

namespace asio = boost::asio;

namespace {

// Nobody tells of a change: it is looked for, as often as balancers do with Check.
constexpr std::chrono::milliseconds kLook(500);

}  // namespace

void HealthWatchCall::Drain() {
  if (told_) WriteOnce(HealthStatus(/*is_ready=*/false));
  Finish({GrpcCode::kUnavailable, "the server is closing"});
  OnAbandoned();
}

void HealthWatchCall::Serve(ByteBuffer message) {
  asked_ = std::move(message);
  Ask();
}

// The call moves on: its end is the loop's business alone.
void HealthWatchCall::Ask() {
  auto self = std::static_pointer_cast<HealthWatchCall>(shared_from_this());
  asio::post(server().managers(), [self = std::move(self), server = server().server(),
                                   context = &loop().context()]() mutable {
    GrpcAnswer answer = AskHealth(server, GrpcMethod::kHealthCheck, self->asked_.view());
    asio::post(*context, [self = std::move(self), answer = std::move(answer)] { self->Tell(answer); });
  });
}

void HealthWatchCall::AskLater() {
  timer_.emplace(loop().context(), kLook);
  timer_->async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = std::static_pointer_cast<HealthWatchCall>(weak.lock());
    if (!error && self != nullptr && self->is_open()) self->Ask();
  });
}

// It keeps no door open: what was told stands until the next look.
void HealthWatchCall::Tell(const GrpcAnswer& answer) {
  SetBusy(false);
  if (!is_open()) return;
  if (!answer.status.ok()) return Finish(answer.status);
  WriteOnce(answer.message);
  AskLater();
}

void HealthWatchCall::WriteOnce(const std::string& message) {
  if (told_ == message) return;
  told_ = message;
  auto outgoing = std::make_shared<OutgoingMessage>();
  outgoing->text()->append(message);
  Write(outgoing);
}

}  // namespace workbench
