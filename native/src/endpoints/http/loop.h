// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HttpLoop: one thread, its connections, and the answers that the core's threads leave for it.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "endpoints/inference.h"

namespace workbench {

class HttpConnection;
class HttpServer;

class HttpLoop final : public Inference::Waiter {
 public:
  explicit HttpLoop(HttpServer* server);
  // Closes what is left. REQUIRES: no inference is on its way whose answer will be told to this loop.
  ~HttpLoop() override;  // NOLINT(bugprone-exception-escape): without memory to end with, the process ends

  // Any thread.
  void Adopt(boost::asio::ip::tcp::socket socket);
  void OnAnswer(Inference* inference, bool is_last) override EXCLUDES(mutex_);
  // Connections without a request close now, the others after their reply.
  void Drain();
  // Gives up the requests that are being served.
  void CancelAll();
  // Of requests that are being served.
  int busy_count() const { return busy_count_.load(); }
  boost::asio::io_context& context() { return context_; }
  HttpServer& server() { return *server_; }

  // The loop's own thread.
  bool is_draining() const { return is_draining_; }
  // The inference's answers are that connection's, which stays until the last.
  void Expect(Inference* inference, std::shared_ptr<HttpConnection> connection);
  // Has the connection send its inference when what came together was read: the core is woken once for all.
  void SendSoon(std::shared_ptr<HttpConnection> connection);
  void Forget(HttpConnection* connection) { connections_.erase(connection); }
  void CountBusy(int change) { busy_count_ += change; }

 private:
  struct Answered {
    Inference* inference;
    bool is_last;
  };

  void TakeAnswers() EXCLUDES(mutex_);
  void SendReady();
  void CloseSlowClients();
  void WatchClients();

  HttpServer* const server_;
  std::unordered_set<HttpConnection*> connections_;  // before the context, whose end is theirs
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_, watch_timer_;

  // The loop's own.
  std::unordered_map<Inference*, std::shared_ptr<HttpConnection>> expected_;
  std::vector<Answered> taken_;
  std::vector<std::shared_ptr<HttpConnection>> ready_, sending_;
  bool is_draining_ = false;
  bool is_watching_ = false;

  std::atomic<int> busy_count_{0};
  std::atomic<int> answering_count_{0};  // threads of the core that are in OnAnswer
  Mutex mutex_;
  std::vector<Answered> answered_ GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace workbench
