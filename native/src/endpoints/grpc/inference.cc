// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/inference.h"

#include <utility>

#include "endpoints/bridge.h"
#include "endpoints/error.h"
#include "endpoints/grpc/infer_request.h"

namespace workbench {
namespace {

uint64_t NanosecondsOf(std::chrono::steady_clock::time_point time) {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

}  // namespace

Status GrpcInference::Parse(ByteBuffer message, std::chrono::steady_clock::time_point reading_since) {
  reading_since_ = reading_since;
  if (TheBridge().is_tracing(server_)) read_at_ = std::chrono::steady_clock::now();
  bytes_ = std::move(message);
  ASSIGN_OR_RETURN(asked_, ParseInferRequest(bytes_.view()));
  return OkStatus();
}

Status GrpcInference::Begin(const SharedMemory& memory, bool may_be_decoupled) {
  is_streaming_ = may_be_decoupled;
  model_ = asked_.model;
  ASSIGN_OR_RETURN(version_, VersionOf(asked_.version, asked_.model));
  uint32_t flags = 0;
  RETURN_IF_ERROR(TakeStatus(
      TRITONSERVER_ServerModelTransactionProperties(server_, model_.c_str(), version_, &flags, nullptr)));
  is_decoupled_ = (flags & TRITONSERVER_TXN_DECOUPLED) != 0;
  if (is_decoupled_ && !may_be_decoupled) {
    return UnsupportedError("model '" + model_ +
                            "' is decoupled: it may answer many times; use ModelStreamInfer");
  }
  RETURN_IF_ERROR(inference_.Begin(model_, version_));
  return FillRequest(asked_, memory, inference_.request(), &inference_.plan(), &wants_final_);
}

// The first one sets the core to work, which others that came with it need not do one by one.
void GrpcInference::SendSoon() {
  loop_->expected_count() == 0 ? Send() : loop_->SendSoon(shared_from_this());
}

void GrpcInference::BeginTrace() {
  inference_.BeginTrace(wants_timing_);
  const bool is_timed = read_at_ != std::chrono::steady_clock::time_point();
  if (inference_.trace() == nullptr || !is_timed) return;
  inference_.trace()->Report("GRPC_WAITREAD_START", NanosecondsOf(reading_since_));
  inference_.trace()->Report("GRPC_WAITREAD_END", NanosecondsOf(read_at_));
}

void GrpcInference::Send() {
  if (owner_ == nullptr) return;
  BeginTrace();
  const Status status = inference_.Send(loop_, is_streaming_);
  if (!status.ok()) return owner_->OnRefused(this, status);
  is_sent_ = true;
  loop_->Expect(&inference_, shared_from_this());
}

void GrpcInference::Abandon() {
  owner_ = nullptr;
  if (is_sent_) inference_.Cancel();
}

void GrpcInference::OnAnswer(bool is_last) {
  if (is_last) is_sent_ = false;
  if (owner_ != nullptr) return owner_->OnAnswers(this, is_last);
  inference_.TakeResponses();
}

void GrpcInference::GiveUp() {
  if (owner_ != nullptr) owner_->OnGivenUp(this);
  if (is_sent_) inference_.Cancel();
}

// Asked of the core only where it matters.
Result<bool> GrpcInference::IsBatched() const {
  uint32_t flags = 0;
  RETURN_IF_ERROR(TakeStatus(
      TRITONSERVER_ServerModelBatchProperties(server_, model_.c_str(), version_, &flags, nullptr)));
  return (flags & TRITONSERVER_BATCH_FIRST_DIM) != 0;
}

std::vector<Result<OutgoingRef>> GrpcInference::TakeAnswers(bool is_streaming) {
  bool has_final = false;
  std::vector<ResponsePtr> responses = inference_.TakeResponses(&has_final);
  std::vector<Result<OutgoingRef>> messages;
  messages.reserve(responses.size());
  for (size_t i = 0; i < responses.size(); ++i) {
    const bool is_final = has_final && i + 1 == responses.size();
    was_final_told_ = was_final_told_ || is_final;
    messages.push_back(
        MessageOf(std::move(responses[i]), is_streaming ? std::make_optional(is_final) : std::nullopt));
    if (is_streaming && messages.back().ok()) WrapForStream(messages.back().value().get());
  }
  return messages;
}

void GrpcInference::KeepVersion(TRITONSERVER_InferenceResponse* response) {
  const char* model = nullptr;
  int64_t version = 0;
  if (TakeStatus(TRITONSERVER_InferenceResponseModel(response, &model, &version)).ok())
    told_version_ = std::to_string(version);
}

Result<OutgoingRef> GrpcInference::MessageOf(ResponsePtr response, std::optional<bool> is_final) {
  if (wants_final_) KeepVersion(response.get());
  bool is_batched = false;
  for (const OutputWish& wish : inference_.plan().outputs) {
    if (wish.class_count == 0) continue;
    ASSIGN_OR_RETURN(is_batched, IsBatched());
    break;
  }
  Result<OutgoingRef> message = InferResponseOf(std::move(response), inference_.plan(), is_batched, is_final);
  if (message.ok()) message.value()->Follow(inference_.trace());
  return message;
}

OutgoingRef GrpcInference::FinalMessage() const {
  if (!wants_final_ || was_final_told_) return nullptr;
  const std::string_view version = told_version_.empty() ? asked_.version : told_version_;
  OutgoingRef message = EmptyFinalResponse(asked_.model, version, asked_.id);
  WrapForStream(message.get());
  return message;
}

}  // namespace workbench
