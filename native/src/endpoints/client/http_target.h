// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HttpTarget: sends a load generator's requests to a server over HTTP, through a pool of connections: those
// that are free, else a new one, else, at the limit, the request waits. A run owns it.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "endpoints/client/http_exchange.h"
#include "endpoints/client/http_request.h"
#include "load/request_plan.h"

namespace workbench {

struct HttpTargetOptions {
  std::string host;
  std::string port;
  uint32_t connections = 16;  // open before the run begins
  uint32_t connection_limit = 1024;
};

class HttpTarget final : public Target, private HttpExchangeOwner {
 public:
  // Connects. UNAVAILABLE where nobody listens.
  static Result<std::unique_ptr<Target>> Create(const HttpTargetOptions& options,
                                                std::vector<HttpSample> samples,
                                                std::vector<PlannedRequest> plan);
  ~HttpTarget() override;  // NOLINT(bugprone-exception-escape): without memory to end with, the process ends

  void Send(uint64_t index, const std::shared_ptr<Completions>& completions) override EXCLUDES(mutex_);
  // Sent and not answered: what this side knows. The server's own count is not ours to see.
  uint64_t InFlight() const override { return in_flight_.load(std::memory_order_relaxed); }
  void CancelAll() override;

 private:
  using ExchangePtr = std::shared_ptr<HttpExchange>;

  HttpTarget(const HttpTargetOptions& options, std::vector<HttpSample> samples, RequestPlan plan);

  Status Resolve(const HttpTargetOptions& options);
  ExchangePtr NewExchange();
  Status OpenFirst(uint32_t count);
  Status Run();
  HttpSending Prepare(uint64_t index, const std::shared_ptr<Completions>& completions) const;
  void OpenFor(HttpSending sending);
  void EndAll(StatusCode status) EXCLUDES(mutex_);

  // The loop's thread.
  void OnFree(const ExchangePtr& exchange, const Expected& answered, StatusCode status) override
      EXCLUDES(mutex_);
  void OnClosed(const ExchangePtr& exchange) override EXCLUDES(mutex_);
  void End(const Expected& expected, StatusCode status) override;

  // Constant.
  const std::vector<HttpSample> samples_;
  const std::vector<std::string> heads_;  // of the samples where they are of no sequence
  const RequestPlan plan_;
  const uint32_t connection_limit_;
  boost::asio::ip::tcp::endpoint endpoint_;

  // Self-synchronised.
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::atomic<uint64_t> in_flight_{0};

  Mutex mutex_;
  std::vector<ExchangePtr> free_ GUARDED_BY(mutex_);
  std::unordered_set<ExchangePtr> open_ GUARDED_BY(mutex_);  // those that are being connected, too
  std::deque<HttpSending> waiting_ GUARDED_BY(mutex_);
  bool is_cancelled_ GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace workbench
