// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// StreamInferCall: inferences over one stream. Requests go to the core as they come. Answers of models that
// answer once leave in the order of their requests, those of decoupled models as they come, as with the
// original.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "endpoints/grpc/call.h"
#include "endpoints/grpc/inference.h"

namespace workbench {

class StreamInferCall final : public GrpcCall, public GrpcInference::Owner {
 public:
  StreamInferCall(GrpcConnection* connection, int32_t id, const GrpcHead& head)
      : GrpcCall(connection, id, head), has_status_errors_(head.wants_errors_as_status()) {}

  void Drain() override;
  bool is_choked() const override;

 private:
  bool must_send() const override { return false; }
  // A request that was not answered to its end.
  struct Asked {
    std::shared_ptr<GrpcInference> inference;
    std::vector<OutgoingRef> waiting;  // behind others
    bool is_done = false;
  };

  void OnMessage(ByteBuffer message) override;
  void OnAllReceived() override;
  void OnAbandoned() override;
  void OnRefused(GrpcInference* inference, const Status& status) override;
  void OnAnswers(GrpcInference* inference, bool is_last) override;
  void OnGivenUp(GrpcInference* inference) override;

  Asked* Find(GrpcInference* inference);
  void Tell(Asked* asked, const Result<OutgoingRef>& answer);
  void WriteBounded(const OutgoingRef& message);
  // Lets go of what is done, and of what waited behind it.
  void Advance();
  void EndIfDone();

  const bool has_status_errors_;
  bool has_all_ = false;
  std::deque<Asked> asked_;
};

}  // namespace workbench
