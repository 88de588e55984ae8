// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// GrpcTarget: sends a load generator's requests to a server over gRPC, by turns over a few connections, each
// of which has any number of calls under way. A run owns it.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "endpoints/client/grpc_channel.h"
#include "load/request_plan.h"

namespace workbench {

struct GrpcTargetOptions {
  std::string host;
  std::string port;
  GrpcCallHead head;
  uint32_t connections = 4;
};

class GrpcTarget final : public Target, public GrpcChannelOwner {
 public:
  // Connects. messages: one ModelInferRequest for each sample. UNAVAILABLE where nobody listens.
  static Result<std::unique_ptr<Target>> Create(const GrpcTargetOptions& options,
                                                std::vector<std::string> messages,
                                                std::vector<PlannedRequest> plan);
  ~GrpcTarget() override;  // NOLINT(bugprone-exception-escape): without memory to end with, the process ends

  void Send(uint64_t index, const std::shared_ptr<Completions>& completions) override;
  // Sent and not answered: what this side knows. The server's own count is not ours to see.
  uint64_t InFlight() const override { return in_flight_.load(std::memory_order_relaxed); }
  void CancelAll() override;

  void OnEnded(const Ended& ended) override;

 private:
  GrpcTarget(std::vector<std::string> messages, RequestPlan plan);

  Status Connect(const GrpcTargetOptions& options);
  Status Run();

  // Constant once it is connected.
  const std::vector<std::string> messages_;
  const RequestPlan plan_;
  boost::asio::io_context context_{1};
  std::vector<std::shared_ptr<GrpcChannel>> channels_;

  // Self-synchronised.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::atomic<uint64_t> in_flight_{0};
  std::thread thread_;
};

}  // namespace workbench
