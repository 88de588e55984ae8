// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/loop.h"

#include <pthread.h>

#include <boost/asio/post.hpp>
#include <utility>

#include "endpoints/http/connection.h"
#include "endpoints/http/server.h"

namespace workbench {

namespace asio = boost::asio;

HttpLoop::HttpLoop(HttpServer* server)
    : server_(server), work_(asio::make_work_guard(context_)), timer_(context_), watch_timer_(context_) {
  asio::post(context_, [this] { CloseSlowClients(); });
  thread_ = std::thread([this] { context_.run(); });
  pthread_setname_np(thread_.native_handle(), "wb-http");
}

// NOLINTNEXTLINE(bugprone-exception-escape)
HttpLoop::~HttpLoop() {
  // What was answered may be served before the thread that told it is back.
  while (answering_count_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
  asio::post(context_, [this] {
    timer_.cancel();
    watch_timer_.cancel();
    const auto left = connections_;
    for (HttpConnection* const connection : left) connection->Close();
    work_.reset();
    context_.stop();
  });
  thread_.join();
}

void HttpLoop::Adopt(asio::ip::tcp::socket socket) {
  asio::post(context_, [this, socket = std::move(socket)]() mutable {
    const auto connection = std::make_shared<HttpConnection>(std::move(socket), this);
    connections_.insert(connection.get());
    connection->Start();
  });
}

void HttpLoop::Drain() {
  asio::post(context_, [this] {
    is_draining_ = true;
    const auto connections = connections_;
    for (HttpConnection* const connection : connections) connection->CloseIfIdle();
  });
}

void HttpLoop::CancelAll() {
  asio::post(context_, [this] {
    for (const auto& [inference, connection] : expected_) inference->Cancel();
  });
}

void HttpLoop::Expect(Inference* inference, std::shared_ptr<HttpConnection> connection) {
  expected_.emplace(inference, std::move(connection));
  if (!std::exchange(is_watching_, true)) WatchClients();
}

// Looking whether a client is still there costs a system call, which only what lasts is worth.
void HttpLoop::WatchClients() {
  watch_timer_.expires_after(std::chrono::milliseconds(10));
  watch_timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    for (const auto& [inference, connection] : expected_) connection->WatchIfLong();
    is_watching_ = !expected_.empty();
    if (is_watching_) WatchClients();
  });
}

void HttpLoop::SendSoon(std::shared_ptr<HttpConnection> connection) {
  ready_.push_back(std::move(connection));
  if (ready_.size() == 1) asio::post(context_, [this] { SendReady(); });
}

void HttpLoop::SendReady() {
  sending_.swap(ready_);
  for (const std::shared_ptr<HttpConnection>& connection : sending_) connection->Send();
  sending_.clear();
}

// A wake-up costs a system call: one is enough for all answers that came before it is seen.
void HttpLoop::OnAnswer(Inference* inference, bool is_last) {
  answering_count_.fetch_add(1, std::memory_order_relaxed);
  bool is_first;
  {
    MutexLock lock(&mutex_);
    is_first = answered_.empty();
    answered_.push_back({inference, is_last});
  }
  if (is_first) asio::post(context_, [this] { TakeAnswers(); });
  answering_count_.fetch_sub(1, std::memory_order_release);
}

void HttpLoop::TakeAnswers() {
  taken_.clear();
  {
    MutexLock lock(&mutex_);
    taken_.swap(answered_);
  }
  for (const auto& [inference, is_last] : taken_) {
    const auto found = expected_.find(inference);
    if (found == expected_.end()) continue;
    const std::shared_ptr<HttpConnection> connection = found->second;
    if (is_last) expected_.erase(found);
    connection->OnAnswer(is_last);
  }
}

void HttpLoop::CloseSlowClients() {
  const auto connections = connections_;
  const auto now = std::chrono::steady_clock::now();
  for (HttpConnection* const connection : connections) connection->CloseIfSlow(now);
  timer_.expires_after(std::chrono::seconds(1));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) CloseSlowClients();
  });
}

}  // namespace workbench
