// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/call.h"

#include <algorithm>
#include <utility>

#include "endpoints/grpc/connection.h"
#include "endpoints/grpc/server.h"
#include "endpoints/loop.h"

namespace workbench {
namespace {

// What is smaller is cheaper to copy than to send from where it lies.
constexpr size_t kBorrowedFrom = size_t{16} << 10;

}  // namespace

GrpcCall::GrpcCall(GrpcConnection* connection, int32_t id, const GrpcHead& head)
    : connection_(connection),
      id_(id),
      head_(head),
      reader_(connection->server().options().max_message_byte_size, head.coding()),
      reading_since_(Clock::now()) {}

GrpcCall::~GrpcCall() = default;

GrpcServer& GrpcCall::server() const { return connection_->server(); }

Loop& GrpcCall::loop() const { return connection_->loop(); }

void GrpcCall::Start(int compression_level) {
  compression_level_ = compression_level;
  if (compression_level > 0) reply_coding_ = head_.accepted_coding();
  if (head_.timeout()) StartTimer();
}

void GrpcCall::StartTimer() {
  deadline_.emplace(loop().context());
  deadline_->expires_after(*head_.timeout());
  deadline_->async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const std::shared_ptr<GrpcCall> self = weak.lock();
    if (error || self == nullptr || !self->is_open()) return;
    self->Finish({GrpcCode::kDeadlineExceeded, "Deadline Exceeded"});
    self->OnAbandoned();
  });
}

void GrpcCall::Receive(std::string_view bytes) {
  if (!is_open()) return;
  if (!reader_.is_within_message()) reading_since_ = Clock::now();
  std::vector<ByteBuffer> messages;
  GrpcStatus status = reader_.Take(bytes, &messages);
  for (ByteBuffer& message : messages) {
    if (is_open()) OnMessage(std::move(message));
  }
  if (status.ok() || !is_open()) return;
  Finish(std::move(status));
  OnAbandoned();
}

void GrpcCall::ReceiveEnd() {
  has_remote_ended_ = true;
  if (!is_open()) return;
  if (!reader_.is_within_message()) return OnAllReceived();
  Finish({GrpcCode::kInternal, "the client ended its stream within a message"});
  OnAbandoned();
}

void GrpcCall::EndIfSlow(Clock::time_point now, unsigned limit_s) {
  if (!is_open() || has_remote_ended_ || !(must_send() || reader_.is_within_message())) return;
  if (now - reading_since_ < std::chrono::seconds(limit_s)) return;
  Finish(
      {GrpcCode::kDeadlineExceeded, "a message took more than " + std::to_string(limit_s) + " s to arrive"});
  OnAbandoned();
}

void GrpcCall::Leave() {
  if (connection_ == nullptr) return;
  SetBusy(false);
  deadline_.reset();
  connection_ = nullptr;
  outgoing_.clear();
  OnAbandoned();
}

void GrpcCall::SetBusy(bool is_busy) {
  if (connection_ == nullptr || is_busy_ == is_busy) return;
  is_busy_ = is_busy;
  loop().CountBusy(is_busy ? 1 : -1);
}

void GrpcCall::Consume(size_t byte_size) {
  withheld_ += byte_size;
  if (connection_ == nullptr || withheld_ == 0 || is_choked()) return;
  connection_->LetSend(id_, std::exchange(withheld_, 0));
}

void GrpcCall::BeginReply() {
  if (std::exchange(has_begun_, true)) return connection_->Resume(id_);
  connection_->BeginReply(this);
}

void GrpcCall::Write(const OutgoingRef& message) {
  if (!is_open()) return;
  const Status status = message->Frame(reply_coding_, compression_level_);
  if (!status.ok()) return Finish(GrpcStatusOf(status));
  message->Report("GRPC_SEND_START");
  outgoing_size_ += message->byte_size();
  outgoing_.push_back(message);
  BeginReply();
}

void GrpcCall::Finish(GrpcStatus status) {
  if (!is_open()) return;
  end_ = std::move(status);
  deadline_.reset();
  if (has_begun_) return connection_->Resume(id_);
  has_begun_ = true;
  connection_->ReplyWithStatus(id_, *end_);
}

void GrpcCall::Reset(uint32_t code) {
  if (connection_ != nullptr) connection_->Reset(id_, code);
}

size_t GrpcCall::CountToSend(size_t limit) const { return std::min(limit, outgoing_size_); }

void GrpcCall::TakeToSend(size_t byte_size, OutputQueue* output) {
  outgoing_size_ -= byte_size;
  while (byte_size > 0) {
    const OutgoingRef message = outgoing_.front();
    const size_t taken = std::min(byte_size, message->byte_size() - sent_of_first_);
    message->Read(sent_of_first_, taken, [&](std::string_view part) {
      part.size() < kBorrowedFrom ? output->Copy(part) : output->Borrow(part, message);
    });
    byte_size -= taken;
    sent_of_first_ += taken;
    if (sent_of_first_ < message->byte_size()) continue;
    message->Report("GRPC_SEND_END");
    outgoing_.pop_front();
    sent_of_first_ = 0;
  }
  Consume(0);
}

}  // namespace workbench
