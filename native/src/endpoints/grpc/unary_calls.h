// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of one message: an inference, or something to be asked of the server.
#pragma once

#include <memory>
#include <string>

#include "endpoints/grpc/call.h"
#include "endpoints/grpc/inference.h"
#include "endpoints/grpc/management.h"

namespace workbench {

// Has the message served when it is there, whole and alone.
class UnaryCall : public GrpcCall {
 public:
  UnaryCall(GrpcConnection* connection, int32_t id, const GrpcHead& head) : GrpcCall(connection, id, head) {
    SetBusy(true);
  }

 protected:
  virtual void Serve(ByteBuffer message) = 0;
  void OnMessage(ByteBuffer message) override;
  void OnAllReceived() override;

 private:
  std::optional<ByteBuffer> message_;
};

class InferCall final : public UnaryCall, public GrpcInference::Owner {
 public:
  using UnaryCall::UnaryCall;

 private:
  void Serve(ByteBuffer message) override;
  void OnAbandoned() override;
  void OnRefused(GrpcInference* inference, const Status& status) override;
  void OnAnswers(GrpcInference* inference, bool is_last) override;
  void OnGivenUp(GrpcInference* inference) override;
  // What the client wished to be told beside the answer.
  void AddWishes();

  std::shared_ptr<GrpcInference> inference_;
};

// What may take long, or wait for the interpreter, keeps no loop.
class ManagedCall final : public UnaryCall {
 public:
  // name: of a method that is Python's.
  ManagedCall(GrpcConnection* connection, int32_t id, const GrpcHead& head, GrpcMethod method,
              std::string_view name)
      : UnaryCall(connection, id, head), method_(method), name_(name) {}

 private:
  void Serve(ByteBuffer message) override;
  void Tell(GrpcAnswer answer);
  void OnAbandoned() override {}

  const GrpcMethod method_;
  const std::string name_;
};

}  // namespace workbench
