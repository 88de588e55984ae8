// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The half of a connection that serves inferences.
#include <boost/asio/write.hpp>
#include <charconv>
#include <utility>

#include "base/clock.h"
#include "endpoints/bridge.h"
#include "endpoints/error.h"
#include "endpoints/http/connection.h"
#include "endpoints/http/generate.h"
#include "endpoints/http/infer_body.h"
#include "endpoints/http/infer_reply.h"
#include "endpoints/http/server.h"
#include "endpoints/load_report.h"
#include "endpoints/request_timing.h"

namespace workbench {

namespace asio = boost::asio;

namespace {

Result<HttpReply> GenerateReply(TRITONSERVER_InferenceResponse* response) {
  ASSIGN_OR_RETURN(std::string json, GenerateJson(response));
  return JsonReply(std::move(json));
}

}  // namespace

void HttpConnection::Infer(const HttpRoute& route) {
  inference_ = std::make_unique<Inference>(server_->server());
  const Status status = BeginInference(route);
  if (!status.ok()) {
    inference_.reset();
    return Reply(ErrorReply(status));
  }
  // The first one sets the core to work, which others that came with it need not do one by one.
  loop_->busy_count() == 1 ? Send() : loop_->SendSoon(shared_from_this());
}

Status HttpConnection::BeginInference(const HttpRoute& route) {
  if (loop_->is_draining()) return UnavailableError("the server is closing");
  action_ = route.action;
  ASSIGN_OR_RETURN(const int64_t version, VersionOf(route));
  return action_ == HttpAction::kInfer ? BeginInfer(route.name, version) : BeginGenerate(route.name, version);
}

void HttpConnection::BeginTrace() {
  inference_->BeginTrace(IsWished(Field(kTimingWish)));
  trace_ = inference_->trace();
  if (trace_ == nullptr || head_ns_ == 0) return;
  trace_->Report("HTTP_RECV_START", head_ns_);
  trace_->Report("HTTP_RECV_END", SteadyClock::Read());
}

void HttpConnection::AddWishes(HttpReply* reply) const {
  if (trace_ != nullptr && IsWished(Field(kTimingWish))) {
    std::string timing = TimingOf(trace_->points());
    if (!timing.empty()) reply->fields.emplace_back(kTiming, std::move(timing));
  }
  const std::string_view format = Field(kLoadReportWish);
  if (format.empty()) return;
  std::string report = LoadReportOf(format, TheBridge().custom_metrics());
  if (!report.empty()) reply->fields.emplace_back(kLoadReport, std::move(report));
}

void HttpConnection::Send() {
  BeginTrace();
  const Status status = inference_->Send(loop_, action_ == HttpAction::kGenerateStream);
  if (status.ok()) {
    looks_ = 0;
    return loop_->Expect(inference_.get(), shared_from_this());
  }
  inference_.reset();
  Reply(ErrorReply(status));
}

Status HttpConnection::BeginInfer(const std::string& model, int64_t version) {
  TRITONSERVER_Server* const server = server_->server();
  uint32_t flags = 0, batch_flags = 0;
  RETURN_IF_ERROR(TakeStatus(
      TRITONSERVER_ServerModelTransactionProperties(server, model.c_str(), version, &flags, nullptr)));
  if ((flags & TRITONSERVER_TXN_DECOUPLED) != 0) {
    return UnsupportedError(
        "model '" + model +
        "' is decoupled: it may answer many times, which /infer can not; use generate_stream");
  }
  RETURN_IF_ERROR(TakeStatus(
      TRITONSERVER_ServerModelBatchProperties(server, model.c_str(), version, &batch_flags, nullptr)));
  is_batched_ = (batch_flags & TRITONSERVER_BATCH_FIRST_DIM) != 0;
  RETURN_IF_ERROR(inference_->Begin(model, version));
  return ReadInference();
}

Status HttpConnection::BeginGenerate(const std::string& model, int64_t version) {
  ASSIGN_OR_RETURN(const ModelSignature signature,
                   TheBridge().signature_of(server_->server(), model, version));
  RETURN_IF_ERROR(inference_->Begin(model, version));
  return ReadGenerateBody(body_, signature, inference_->request(), &inference_->plan());
}

Status HttpConnection::ReadInference() {
  const std::string_view field = Field(kJsonSizeHeader);
  if (body_.empty()) return ReadRawBody(body_, inference_->request(), &inference_->plan());
  size_t json_size = body_.size();
  if (!field.empty()) {
    const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), json_size);
    if (error != std::errc() || stop != field.data() + field.size()) {
      return InvalidArgumentError(std::string(kJsonSizeHeader) + " must be a number of bytes, not '" +
                                  std::string(field) + "'");
    }
    if (json_size == 0) return ReadRawBody(body_, inference_->request(), &inference_->plan());
  }
  return ReadInferBody(body_, json_size, server_->memory(), inference_->request(), &inference_->plan());
}

void HttpConnection::WatchIfLong() {
  if (++looks_ == 2) WatchClient();
}

void HttpConnection::StopWatching() {
  if (looks_ < 2) return;
  Error ignored;
  socket_.cancel(ignored);
}

void HttpConnection::WatchClient() {
  socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](const Error& error) {
    if (error || self->inference_ == nullptr) return;
    char byte;
    Error failed;
    const size_t count =
        self->socket_.receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, failed);
    const bool is_gone = failed ? failed != asio::error::would_block : count == 0;
    if (is_gone) self->inference_->Cancel();
  });
}

void HttpConnection::GiveUp() {
  if (inference_ == nullptr || std::exchange(is_given_up_, true)) return;
  inference_->Cancel();
  StopWatching();
  is_last_ = true;
  const Status refusal = UnavailableError("the server closes, and waits no longer for the model");
  if (action_ != HttpAction::kGenerateStream || !stream_.has_begun()) return Reply(ErrorReply(refusal));
  stream_.Add(refusal);
  stream_.End();
  if (!is_writing_) WriteStream();
}

// What was told and closed ends now, else when it is written.
void HttpConnection::EndGivenUp() {
  inference_.reset();
  if (!socket_.is_open()) OnWritten(asio::error::operation_aborted);
}

void HttpConnection::OnAnswer(bool is_last) {
  if (is_given_up_) return is_last ? EndGivenUp() : void();
  if (action_ == HttpAction::kGenerateStream) return Stream(is_last);
  if (!is_last) return;
  std::vector<ResponsePtr> responses = inference_->TakeResponses();
  const std::unique_ptr<Inference> done = std::move(inference_);
  StopWatching();
  if (responses.size() != 1) {
    return Reply(
        ErrorReply(InternalError("the model answered " + std::to_string(responses.size()) +
                                 " times, where one answer is wanted; generate_stream takes any number")));
  }
  Result<HttpReply> reply = action_ == HttpAction::kInfer
                                ? InferReply(std::move(responses.front()), done->plan(), is_batched_)
                                : GenerateReply(responses.front().get());
  if (reply.ok()) AddWishes(&reply.value());
  Reply(reply.ok() ? std::move(reply).value() : ErrorReply(reply.status()));
}

// The head goes out with the first good answer: where the first is an error, the status is its.
void HttpConnection::Stream(bool is_last) {
  for (const ResponsePtr& response : inference_->TakeResponses()) stream_.Add(GenerateJson(response.get()));
  if (stream_.byte_size() > server_->options().max_body_byte_size) inference_->Cancel();  // nobody reads
  if (is_last) {
    inference_.reset();
    StopWatching();
    stream_.End();
  }
  if (stream_.is_refused()) {
    if (inference_ != nullptr) return inference_->Cancel();
    return Reply(ErrorReply(stream_.refusal()));
  }
  if (!is_writing_) WriteStream();
}

void HttpConnection::WriteStream() {
  if (stream_.is_over()) return OnWritten({});
  head_ = stream_.Take();
  if (head_.empty()) return;
  is_writing_ = true;
  asio::async_write(socket_, asio::buffer(head_), [self = shared_from_this()](const Error& error, size_t) {
    self->is_writing_ = false;
    if (!error) return self->WriteStream();
    if (self->inference_ != nullptr) return self->inference_->Cancel();
    self->OnWritten(error);
  });
}

}  // namespace workbench
