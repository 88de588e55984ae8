// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// GrpcInference: one ModelInferRequest on its way through the core. It lives until the core let go of it,
// also where nobody waits any more.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "endpoints/connection.h"
#include "endpoints/grpc/infer_message.h"
#include "endpoints/grpc/infer_response.h"
#include "endpoints/grpc/message_reader.h"
#include "endpoints/inference.h"
#include "endpoints/loop.h"

namespace workbench {

class GrpcInference final : public InferenceClient, public std::enable_shared_from_this<GrpcInference> {
 public:
  // Whoever asked. Called on the loop's thread, and not after Abandon.
  class Owner {
   public:
    virtual ~Owner() = default;
    // The core did not take it.
    virtual void OnRefused(GrpcInference* inference, const Status& status) = 0;
    virtual void OnAnswers(GrpcInference* inference, bool is_last) = 0;
    // The door closes and waits no longer.
    virtual void OnGivenUp(GrpcInference* inference) = 0;
  };

  GrpcInference(TRITONSERVER_Server* server, Loop* loop, Owner* owner)
      : server_(server), loop_(loop), owner_(owner), inference_(server) {}

  // Reads the message, which stays here; it began to arrive then.
  Status Parse(ByteBuffer message, std::chrono::steady_clock::time_point reading_since);
  // Makes a request of it.
  Status Begin(const SharedMemory& memory, bool may_be_decoupled);
  // Before SendSoon: hears of the request's way, traced or not.
  void WantTiming() { wants_timing_ = true; }
  const std::shared_ptr<TraceBridge>& trace() const { return inference_.trace(); }
  // Sends it, now, or with what comes together with it.
  void SendSoon();
  // Nobody waits any more.
  void Abandon();

  void Send() override;
  void OnAnswer(bool is_last) override;
  void GiveUp() override;

  // After Parse.
  std::string_view id() const { return asked_.id; }
  bool is_decoupled() const { return is_decoupled_; }
  // Messages of the answers that came, which are the stream's where it is one; each may be an error.
  std::vector<Result<OutgoingRef>> TakeAnswers(bool is_streaming);
  // What tells the end that no response told; null where that was not asked for.
  OutgoingRef FinalMessage() const;

 private:
  void BeginTrace();
  Result<bool> IsBatched() const;
  void KeepVersion(TRITONSERVER_InferenceResponse* response);
  Result<OutgoingRef> MessageOf(ResponsePtr response, std::optional<bool> is_final);

  TRITONSERVER_Server* const server_;
  Loop* const loop_;
  Owner* owner_;
  ByteBuffer bytes_;
  InferRequestMessage asked_;
  std::string model_;
  int64_t version_ = -1;
  std::string told_version_;  // by a response
  std::chrono::steady_clock::time_point reading_since_{};
  std::chrono::steady_clock::time_point read_at_{};
  bool wants_timing_ = false;
  bool is_decoupled_ = false;
  bool is_streaming_ = false;
  bool is_sent_ = false;
  bool wants_final_ = false;
  bool was_final_told_ = false;
  Inference inference_;  // goes first: it borrows the bytes
};

}  // namespace workbench
