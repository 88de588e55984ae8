// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop: one thread, its connections, and the answers that the core's threads leave for it.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "endpoints/connection.h"
#include "endpoints/inference.h"

namespace workbench {

class Loop final : public Inference::Waiter {
 public:
  // thread_name: of at most 15 characters. UNAVAILABLE where no thread can be started.
  static Result<std::unique_ptr<Loop>> Create(const char* thread_name);
  // Closes what is left. REQUIRES: no inference is on its way whose answer will be told to this loop.
  ~Loop() override;  // NOLINT(bugprone-exception-escape): without memory to end with, the process ends

  // Any thread.
  void Adopt(std::shared_ptr<Connection> connection);
  void OnAnswer(Inference* inference, bool is_last) override EXCLUDES(mutex_);
  // Connections without a request close now, the others after their reply; all are told when it returns. Not
  // on the loop's own thread.
  void Drain();
  // Gives up the inferences that are being served.
  void GiveUpAll();
  // Of requests that are being served, and of replies that are being written.
  int busy_count() const { return busy_count_.load(); }
  // Of inferences whose last answer was not taken.
  int expected_count() const { return expected_count_.load(); }
  boost::asio::io_context& context() { return context_; }

  // The loop's own thread.
  bool is_draining() const { return is_draining_; }
  // The inference's answers are the client's, which stays until the last.
  void Expect(Inference* inference, std::shared_ptr<InferenceClient> client);
  // Has the client send its inference when what came together was read: the core is woken once for all.
  void SendSoon(std::shared_ptr<InferenceClient> client);
  void Forget(Connection* connection) { connections_.erase(connection); }
  void CountBusy(int change) { busy_count_ += change; }
  // To read into; holds nothing from one event to the next.
  std::vector<char>& room(size_t byte_size) {
    if (room_.size() < byte_size) room_.resize(byte_size);
    return room_;
  }

 private:
  Loop();

  struct Answered {
    Inference* inference;
    bool is_last;
  };

  void Run();
  // True when there was something to do.
  bool RunReady();
  bool Poll();
  bool TakeAnswers() EXCLUDES(mutex_);
  void SendReady();
  void CloseSlowClients();
  void WatchClients();

  std::unordered_set<Connection*> connections_;  // before the context, whose end is theirs
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_, watch_timer_;

  // The loop's own.
  std::unordered_map<Inference*, std::shared_ptr<InferenceClient>> expected_;
  std::vector<Answered> taken_;
  std::vector<std::shared_ptr<InferenceClient>> ready_, sending_;
  std::vector<char> room_;
  bool is_draining_ = false;
  bool is_watching_ = false;

  std::atomic<int> busy_count_{0};
  std::atomic<int> expected_count_{0};
  std::atomic<int> answering_count_{0};  // threads of the core that are in OnAnswer
  // Who brings an answer looks at the first after the second was set, who falls asleep at the second after
  // the first: one of them sees the other.
  std::atomic<bool> is_awake_{true};
  std::atomic<bool> has_answers_{false};
  Mutex mutex_;
  std::vector<Answered> answered_ GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace workbench
