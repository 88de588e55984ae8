// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/http_target.h"

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "base/thread.h"
#include "base/wake_up.h"

namespace workbench {

namespace asio = boost::asio;

namespace {

std::vector<std::string> HeadsOf(const std::vector<HttpSample>& samples) {
  std::vector<std::string> heads;
  heads.reserve(samples.size());
  for (const HttpSample& sample : samples) heads.push_back(sample.Head({}));
  return heads;
}

}  // namespace

Result<std::unique_ptr<Target>> HttpTarget::Create(const HttpTargetOptions& options,
                                                   std::vector<HttpSample> samples,
                                                   std::vector<PlannedRequest> plan) {
  if (samples.empty()) return InvalidArgumentError("a target needs a request to send");
  ASSIGN_OR_RETURN(RequestPlan checked, RequestPlan::Create(std::move(plan), samples.size()));
  std::unique_ptr<HttpTarget> target(new HttpTarget(options, std::move(samples), std::move(checked)));
  RETURN_IF_ERROR(target->Resolve(options));
  RETURN_IF_ERROR(target->OpenFirst(std::min(options.connections, options.connection_limit)));
  RETURN_IF_ERROR(target->Run());
  return std::unique_ptr<Target>(std::move(target));
}

HttpTarget::HttpTarget(const HttpTargetOptions& options, std::vector<HttpSample> samples, RequestPlan plan)
    : samples_(std::move(samples)),
      heads_(HeadsOf(samples_)),
      plan_(std::move(plan)),
      connection_limit_(options.connection_limit),
      work_(asio::make_work_guard(context_)) {}

// NOLINTNEXTLINE(bugprone-exception-escape)
HttpTarget::~HttpTarget() {
  EndAll(StatusCode::kCancelled);
  work_.reset();
  // What is left to do is to tell that the connections were closed.
  if (thread_.joinable()) {
    thread_.join();
  } else {
    context_.run();
  }
}

Status HttpTarget::Resolve(const HttpTargetOptions& options) {
  boost::system::error_code error;
  asio::ip::tcp::resolver resolver(context_);
  const auto found = resolver.resolve(options.host, options.port, error);
  asio::ip::tcp::socket probe(context_);
  if (!error) asio::connect(probe, found, error);
  if (error) {
    return UnavailableError("nobody answers at " + options.host + ":" + options.port + ": " +
                            error.message());
  }
  endpoint_ = probe.remote_endpoint(error);
  return error ? UnavailableError("the connection to " + options.host + " broke at once") : OkStatus();
}

HttpTarget::ExchangePtr HttpTarget::NewExchange() {
  HttpExchangeOwner& owner = *this;
  return std::make_shared<HttpExchange>(context_, owner);
}

Status HttpTarget::OpenFirst(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const ExchangePtr exchange = NewExchange();
    boost::system::error_code error;
    exchange->socket().connect(endpoint_, error);
    if (error) {
      return UnavailableError("the server took " + std::to_string(i) + " of " + std::to_string(count) +
                              " connections: " + error.message());
    }
    exchange->Start();
    MutexLock lock(&mutex_);
    open_.insert(exchange);
    free_.push_back(exchange);
  }
  return OkStatus();
}

Status HttpTarget::Run() {
  ASSIGN_OR_RETURN(thread_, StartThread("wb-load-http", [this] {
                     WakePromptly();
                     context_.run();
                   }));
  return OkStatus();
}

HttpSending HttpTarget::Prepare(uint64_t index, const std::shared_ptr<Completions>& completions) const {
  const PlannedRequest planned = plan_.At(index);
  const HttpSample& sample = samples_[planned.sample];
  std::string own_head = planned.sequence == 0 ? std::string() : sample.Head(planned);
  return {{index, completions}, std::move(own_head), heads_[planned.sample], sample.tensors};
}

void HttpTarget::Send(uint64_t index, const std::shared_ptr<Completions>& completions) {
  HttpSending sending = Prepare(index, completions);
  in_flight_.fetch_add(1, std::memory_order_relaxed);
  ExchangePtr exchange;
  bool is_cancelled;
  {
    MutexLock lock(&mutex_);
    is_cancelled = is_cancelled_;
    if (!is_cancelled && !free_.empty()) {
      exchange = std::move(free_.back());
      free_.pop_back();
    } else if (!is_cancelled && open_.size() >= connection_limit_) {
      return waiting_.push_back(std::move(sending));
    }
  }
  if (is_cancelled) return End(sending.expected, StatusCode::kCancelled);
  exchange ? exchange->Send(std::move(sending)) : OpenFor(std::move(sending));
}

void HttpTarget::OpenFor(HttpSending sending) {
  const ExchangePtr exchange = NewExchange();
  {
    MutexLock lock(&mutex_);
    open_.insert(exchange);
  }
  asio::post(context_, [this, exchange, sending = std::move(sending)]() mutable {
    exchange->Connect(endpoint_, std::move(sending));
  });
}

// The answer is told before the next request is written: its time is now.
void HttpTarget::OnFree(const ExchangePtr& exchange, const Expected& answered, StatusCode status) {
  std::optional<HttpSending> next;
  {
    MutexLock lock(&mutex_);
    if (waiting_.empty()) {
      free_.push_back(exchange);
    } else {
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
  }
  End(answered, status);
  if (next) exchange->Send(*std::move(next));
}

void HttpTarget::OnClosed(const ExchangePtr& exchange) {
  HttpSending next;
  {
    MutexLock lock(&mutex_);
    open_.erase(exchange);
    free_.erase(std::remove(free_.begin(), free_.end(), exchange), free_.end());
    if (waiting_.empty() || is_cancelled_) return;
    next = std::move(waiting_.front());
    waiting_.pop_front();
  }
  OpenFor(std::move(next));
}

void HttpTarget::End(const Expected& expected, StatusCode status) {
  in_flight_.fetch_sub(1, std::memory_order_relaxed);
  expected.completions->Done(expected.index, status);
}

void HttpTarget::CancelAll() { EndAll(StatusCode::kCancelled); }

void HttpTarget::EndAll(StatusCode status) {
  std::vector<ExchangePtr> open;
  std::deque<HttpSending> waiting;
  {
    MutexLock lock(&mutex_);
    is_cancelled_ = true;
    open.assign(open_.begin(), open_.end());
    waiting.swap(waiting_);
  }
  asio::post(context_, [open = std::move(open), status] {
    for (const ExchangePtr& exchange : open) exchange->Close(status);
  });
  for (const HttpSending& sending : waiting) End(sending.expected, status);
}

}  // namespace workbench
