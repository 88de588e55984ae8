// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/unary_calls.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "endpoints/bridge.h"
#include "endpoints/grpc/server.h"
#include "endpoints/load_report.h"

namespace workbench {

namespace asio = boost::asio;

void UnaryCall::OnMessage(ByteBuffer message) {
  if (message_) return Finish({GrpcCode::kInternal, "the method takes one message, and more came"});
  message_ = std::move(message);
}

void UnaryCall::OnAllReceived() {
  if (!message_) return Finish({GrpcCode::kInternal, "the method takes one message, and none came"});
  Serve(std::move(*message_));
}

void InferCall::Serve(ByteBuffer message) {
  if (loop().is_draining()) return Finish({GrpcCode::kUnavailable, "the server is closing"});
  inference_ = std::make_shared<GrpcInference>(server().server(), &loop(), this);
  Status status = inference_->Parse(std::move(message), reading_since());
  if (head().wants_timing()) inference_->WantTiming();
  if (status.ok()) status = inference_->Begin(server().memory(), /*may_be_decoupled=*/false);
  if (status.ok()) return inference_->SendSoon();
  Finish(GrpcStatusOf(status));
  OnAbandoned();
}

void InferCall::OnAbandoned() {
  if (inference_ != nullptr) std::exchange(inference_, nullptr)->Abandon();
}

void InferCall::OnRefused(GrpcInference*, const Status& status) { Finish(GrpcStatusOf(status)); }

void InferCall::OnAnswers(GrpcInference*, bool is_last) {
  if (!is_last) return;
  std::vector<Result<OutgoingRef>> answers = inference_->TakeAnswers(/*is_streaming=*/false);
  if (answers.size() != 1) {
    return Finish(
        {GrpcCode::kInternal, "the model answered " + std::to_string(answers.size()) +
                                  " times, where one answer is wanted; ModelStreamInfer takes any number"});
  }
  if (!answers.front().ok()) return Finish(GrpcStatusOf(answers.front().status()));
  AddWishes();
  Write(answers.front().value());
  Finish({});
}

void InferCall::AddWishes() {
  if (head().wants_timing() && inference_->trace() != nullptr) {
    std::string timing = TimingOf(inference_->trace()->points());
    if (!timing.empty()) AddTrailing(kTiming, std::move(timing));
  }
  if (head().load_report_format().empty()) return;
  std::string report = LoadReportOf(head().load_report_format(), TheBridge().custom_metrics());
  if (!report.empty()) AddTrailing(kLoadReport, std::move(report));
}

void InferCall::OnGivenUp(GrpcInference*) { Finish({GrpcCode::kUnavailable, "the server is closing"}); }

// The call moves on: its end is the loop's business alone.
void ManagedCall::Serve(ByteBuffer message) {
  if (method_ == GrpcMethod::kServerLive) return Tell(AskHealth(server().server(), method_, message.view()));
  auto self = std::static_pointer_cast<ManagedCall>(shared_from_this());
  auto bytes = std::make_shared<ByteBuffer>(std::move(message));
  asio::post(server().managers(), [self = std::move(self), bytes = std::move(bytes), server = &server(),
                                   context = &loop().context()]() mutable {
    GrpcAnswer answer = self->method_ == GrpcMethod::kManaged
                            ? server->service()(self->name_, bytes->view())
                            : AskHealth(server->server(), self->method_, bytes->view());
    asio::post(*context, [self = std::move(self), answer = std::move(answer)]() mutable {
      self->Tell(std::move(answer));
    });
  });
}

void ManagedCall::Tell(GrpcAnswer answer) {
  if (!answer.status.ok()) return Finish(std::move(answer.status));
  auto message = std::make_shared<OutgoingMessage>();
  message->text()->append(answer.message);
  Write(message);
  Finish({});
}

}  // namespace workbench
