// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/grpc_target.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "base/thread.h"
#include "base/wake_up.h"
#include "endpoints/client/grpc_request.h"

namespace workbench {

namespace asio = boost::asio;

Result<std::unique_ptr<Target>> GrpcTarget::Create(const GrpcTargetOptions& options,
                                                   std::vector<std::string> messages,
                                                   std::vector<PlannedRequest> plan) {
  if (messages.empty()) return InvalidArgumentError("a target needs a request to send");
  ASSIGN_OR_RETURN(RequestPlan checked, RequestPlan::Create(std::move(plan), messages.size()));
  std::unique_ptr<GrpcTarget> target(new GrpcTarget(std::move(messages), std::move(checked)));
  RETURN_IF_ERROR(target->Connect(options));
  RETURN_IF_ERROR(target->Run());
  return std::unique_ptr<Target>(std::move(target));
}

GrpcTarget::GrpcTarget(std::vector<std::string> messages, RequestPlan plan)
    : messages_(std::move(messages)), plan_(std::move(plan)), work_(asio::make_work_guard(context_)) {}

// NOLINTNEXTLINE(bugprone-exception-escape)
GrpcTarget::~GrpcTarget() {
  for (const auto& channel : channels_) {
    asio::post(context_, [channel] { channel->Close(StatusCode::kCancelled); });
  }
  work_.reset();
  // What is left to do is to tell that the connections were closed.
  if (thread_.joinable()) {
    thread_.join();
  } else {
    context_.run();
  }
}

Status GrpcTarget::Connect(const GrpcTargetOptions& options) {
  boost::system::error_code error;
  asio::ip::tcp::resolver resolver(context_);
  const auto found = resolver.resolve(options.host, options.port, error);
  GrpcChannelOwner& owner = *this;
  for (uint32_t i = 0; i < options.connections && !error; ++i) {
    auto channel = std::make_shared<GrpcChannel>(context_, owner, options.head);
    asio::connect(channel->socket(), found, error);
    if (!error) channel->Start();
    channels_.push_back(std::move(channel));
  }
  if (!error) return OkStatus();
  return UnavailableError("nobody answers at " + options.host + ":" + options.port + ": " + error.message());
}

Status GrpcTarget::Run() {
  ASSIGN_OR_RETURN(thread_, StartThread("wb-load-grpc", [this] {
                     WakePromptly();
                     context_.run();
                   }));
  return OkStatus();
}

void GrpcTarget::Send(uint64_t index, const std::shared_ptr<Completions>& completions) {
  const PlannedRequest planned = plan_.At(index);
  in_flight_.fetch_add(1, std::memory_order_relaxed);
  // Requests of a sequence keep their order: they take the same connection.
  const uint64_t turn = planned.sequence == 0 ? index : planned.sequence;
  channels_[turn % channels_.size()]->Send(
      {{index, completions}, messages_[planned.sample], SequenceParameters(planned)});
}

void GrpcTarget::CancelAll() {
  for (const auto& channel : channels_) channel->Cancel();
}

void GrpcTarget::OnEnded(const Ended& ended) {
  in_flight_.fetch_sub(1, std::memory_order_relaxed);
  ended.expected.completions->Done(ended.expected.index, ended.status);
}

}  // namespace workbench
