// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/stream_call.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <utility>

#include "endpoints/grpc/server.h"

namespace workbench {
namespace {

// Beyond these a client has to wait before it sends more.
constexpr size_t kMostAsked = 4096;
constexpr size_t kMostUnread = size_t{8} << 20;

GrpcStatus Closing() { return {GrpcCode::kUnavailable, "the server is closing"}; }

}  // namespace

void StreamInferCall::Drain() {
  if (asked_.empty()) Finish(Closing());
}

bool StreamInferCall::is_choked() const {
  return asked_.size() > kMostAsked || unread_byte_size() > kMostUnread;
}

void StreamInferCall::OnMessage(ByteBuffer message) {
  if (has_all_) return;
  auto inference = std::make_shared<GrpcInference>(server().server(), &loop(), this);
  // With what is no message the client's half ends, as with the original.
  if (!inference->Parse(std::move(message), reading_since()).ok()) return OnAllReceived();
  const Status status = loop().is_draining() ? UnavailableError("the server is closing")
                                             : inference->Begin(server().memory(), /*may_be_decoupled=*/true);
  asked_.push_back({inference, {}, false});
  SetBusy(true);
  status.ok() ? inference->SendSoon() : OnRefused(inference.get(), status);
}

void StreamInferCall::OnAllReceived() {
  has_all_ = true;
  EndIfDone();
}

void StreamInferCall::OnAbandoned() {
  for (const Asked& asked : std::exchange(asked_, {})) asked.inference->Abandon();
  SetBusy(false);
}

StreamInferCall::Asked* StreamInferCall::Find(GrpcInference* inference) {
  const auto is_it = [inference](const Asked& asked) { return asked.inference.get() == inference; };
  const auto found = std::find_if(asked_.begin(), asked_.end(), is_it);
  return found == asked_.end() ? nullptr : &*found;
}

void StreamInferCall::OnRefused(GrpcInference* inference, const Status& status) {
  Asked* const asked = Find(inference);
  if (asked == nullptr) return;
  asked->is_done = true;
  Tell(asked, status);
  Advance();
}

void StreamInferCall::OnAnswers(GrpcInference* inference, bool is_last) {
  Asked* const asked = Find(inference);
  if (asked == nullptr) return;
  std::vector<Result<OutgoingRef>> answers = inference->TakeAnswers(/*is_streaming=*/true);
  asked->is_done = is_last;
  const OutgoingRef final_message = is_last ? inference->FinalMessage() : nullptr;
  if (final_message != nullptr) answers.emplace_back(final_message);
  for (const Result<OutgoingRef>& answer : answers) {
    if (is_open()) Tell(asked, answer);
  }
  Advance();
}

void StreamInferCall::OnGivenUp(GrpcInference*) {
  Finish(Closing());
  OnAbandoned();
}

// The first of those that keep an order may speak, and whoever keeps none.
void StreamInferCall::Tell(Asked* asked, const Result<OutgoingRef>& answer) {
  if (!answer.ok() && has_status_errors_) {
    Finish(GrpcStatusOf(answer.status()));
    return;
  }
  const OutgoingRef message =
      answer.ok() ? answer.value() : StreamError(answer.status().message(), asked->inference->id());
  const auto is_before = [](const Asked& one) { return !one.inference->is_decoupled(); };
  const bool may_speak =
      asked->inference->is_decoupled() || &*std::find_if(asked_.begin(), asked_.end(), is_before) == asked;
  may_speak ? WriteBounded(message) : asked->waiting.push_back(message);
}

void StreamInferCall::WriteBounded(const OutgoingRef& message) {
  Write(message);
  // Who does not read loses the stream: what was begun can not be taken back, so it ends without a status.
  if (unread_byte_size() > server().options().max_unread_byte_size) Reset(NGHTTP2_ENHANCE_YOUR_CALM);
}

void StreamInferCall::Advance() {
  if (!is_open()) return OnAbandoned();
  for (bool is_first = true; is_first;) {
    const auto is_ordered = [](const Asked& one) { return !one.inference->is_decoupled(); };
    const auto first = std::find_if(asked_.begin(), asked_.end(), is_ordered);
    is_first = first != asked_.end() && (first->is_done || !first->waiting.empty());
    if (!is_first) break;
    for (const OutgoingRef& message : std::exchange(first->waiting, {})) WriteBounded(message);
    if (!first->is_done) break;
    asked_.erase(first);
  }
  const auto is_done = [](const Asked& one) { return one.is_done && one.inference->is_decoupled(); };
  asked_.erase(std::remove_if(asked_.begin(), asked_.end(), is_done), asked_.end());
  SetBusy(!asked_.empty());
  Consume(0);
  EndIfDone();
}

void StreamInferCall::EndIfDone() {
  if (!asked_.empty()) return;
  if (has_all_) return Finish({});
  if (loop().is_draining()) Finish(Closing());
}

}  // namespace workbench
