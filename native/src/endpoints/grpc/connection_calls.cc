// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The half of a connection that speaks to its calls.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/grpc/connection.h"
#include "endpoints/grpc/health_watch.h"
#include "endpoints/grpc/method.h"
#include "endpoints/grpc/server.h"
#include "endpoints/grpc/stream_call.h"
#include "endpoints/grpc/unary_calls.h"

namespace workbench {
namespace {

// nghttp2 copies what it is given.
nghttp2_nv Field(std::string_view name, std::string_view value) {
  return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
          NGHTTP2_NV_FLAG_NONE};
}

// Status and message as fields; message keeps the text.
void AddStatus(const GrpcStatus& status, std::string* code, std::string* message,
               std::vector<nghttp2_nv>* fields) {
  *code = std::to_string(static_cast<int>(status.code));
  *message = PercentEncoded(status.message);
  fields->push_back(Field("grpc-status", *code));
  if (!message->empty()) fields->push_back(Field("grpc-message", *message));
}

bool IsInference(GrpcMethod method) {
  return method == GrpcMethod::kInfer || method == GrpcMethod::kStreamInfer;
}

}  // namespace

void GrpcConnection::OnHead(int32_t id) {
  if (!head_.is_grpc()) {
    const std::array<nghttp2_nv, 1> fields{Field(":status", "415")};
    nghttp2_submit_response(session_.get(), id, fields.data(), fields.size(), nullptr);
    return;
  }
  std::string_view name;
  const GrpcMethod method = MethodOf(head_.path(), &name);
  GrpcStatus status = head_.Check(server_->options().token);
  if (status.ok() && method == GrpcMethod::kUnknown) {
    status = {GrpcCode::kUnimplemented, "there is no method '" + head_.path() + "'"};
  }
  if (!status.ok()) return ReplyWithStatus(id, status);
  const std::shared_ptr<GrpcCall> call = MakeCall(id, method, name);
  calls_.emplace(id, call);
  call->Start(IsInference(method) ? server_->options().compression_level : 0);
}

std::shared_ptr<GrpcCall> GrpcConnection::MakeCall(int32_t id, GrpcMethod method, std::string_view name) {
  if (method == GrpcMethod::kInfer) return std::make_shared<InferCall>(this, id, head_);
  if (method == GrpcMethod::kStreamInfer) return std::make_shared<StreamInferCall>(this, id, head_);
  if (method == GrpcMethod::kHealthWatch) return std::make_shared<HealthWatchCall>(this, id, head_);
  return std::make_shared<ManagedCall>(this, id, head_, method, name);
}

void GrpcConnection::OnReset() {
  if (!resets_.Spend(Clock::now()))
    nghttp2_session_terminate_session(session_.get(), NGHTTP2_ENHANCE_YOUR_CALM);
}

void GrpcConnection::OnStreamClosed(int32_t id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  const std::shared_ptr<GrpcCall> call = std::move(found->second);
  calls_.erase(found);
  call->Leave();
}

void GrpcConnection::ReplyWithStatus(int32_t id, const GrpcStatus& status) {
  std::string code, message;
  std::vector<nghttp2_nv> fields{Field(":status", "200"), Field("content-type", "application/grpc")};
  AddStatus(status, &code, &message, &fields);
  nghttp2_submit_response(session_.get(), id, fields.data(), fields.size(), nullptr);
  FlushSoon();
}

void GrpcConnection::SubmitHead(const GrpcCall& call, const nghttp2_data_provider& provider) {
  std::vector<nghttp2_nv> fields{Field(":status", "200"), Field("content-type", "application/grpc"),
                                 Field("grpc-accept-encoding", "identity, deflate, gzip")};
  if (call.reply_coding() != ContentCoding::kNone) {
    fields.push_back(Field("grpc-encoding", NameOf(call.reply_coding())));
  }
  nghttp2_submit_response(session_.get(), call.id(), fields.data(), fields.size(), &provider);
  FlushSoon();
}

void GrpcConnection::SubmitTrailer(const GrpcCall& call, const GrpcStatus& status) {
  std::string code, message;
  std::vector<nghttp2_nv> fields;
  AddStatus(status, &code, &message, &fields);
  for (const auto& [name, value] : call.trailing()) fields.push_back(Field(name, value));
  nghttp2_submit_trailer(session_.get(), call.id(), fields.data(), fields.size());
}

void GrpcConnection::Resume(int32_t id) {
  nghttp2_session_resume_data(session_.get(), id);
  FlushSoon();
}

void GrpcConnection::Reset(int32_t id, uint32_t code) {
  nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, id, code);
  FlushSoon();
}

void GrpcConnection::LetSend(int32_t id, size_t byte_size) {
  nghttp2_session_consume_stream(session_.get(), id, byte_size);
  if (!is_within_session_) FlushSoon();
}

}  // namespace workbench
