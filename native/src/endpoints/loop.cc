// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/loop.h"

#include <sched.h>

#include <boost/asio/post.hpp>
#include <future>
#include <utility>

#include "base/clock.h"
#include "base/core_count.h"
#include "base/expected_gap.h"
#include "base/thread.h"
#include "base/wake_up.h"
#include "endpoints/bridge.h"

namespace workbench {

namespace asio = boost::asio;

namespace {

// A client and its request's execution take some ten microseconds each, and a client that computes some more.
constexpr uint64_t kPollNs = 100'000;
constexpr size_t kTurn = 64;  // events of clients between two looks for answers

}  // namespace

Loop::Loop() : work_(asio::make_work_guard(context_)), timer_(context_), watch_timer_(context_) {}

Result<std::unique_ptr<Loop>> Loop::Create(const char* thread_name) {
  std::unique_ptr<Loop> made(new Loop());
  Loop* const loop = made.get();
  asio::post(loop->context_, [loop] { loop->CloseSlowClients(); });
  ASSIGN_OR_RETURN(loop->thread_, StartThread(thread_name, [loop] {
                     WakePromptly();  // it computes little for each of many clients
                     loop->Run();
                   }));
  return made;
}

// NOLINTNEXTLINE(bugprone-exception-escape)
Loop::~Loop() {
  if (!thread_.joinable()) return;  // it was never started
  // What was answered may be served before the thread that told it is back.
  while (answering_count_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
  asio::post(context_, [this] {
    timer_.cancel();
    watch_timer_.cancel();
    const auto left = connections_;
    for (Connection* const connection : left) connection->Close();
    work_.reset();
    context_.stop();
  });
  thread_.join();
}

// A client that is answered at once asks at once: falling asleep between and being woken would take longer.
void Loop::Run() {
  ExpectedGap gap(kPollNs);
  while (!context_.stopped()) {
    if (RunReady()) continue;
    gap.Begin(SteadyClock::Read());
    if (gap.is_short() && Poll()) {
      gap.End(SteadyClock::Read());
      continue;
    }
    is_awake_ = false;
    if (!has_answers_.load()) context_.run_one();
    is_awake_ = true;
    gap.End(SteadyClock::Read() - ExpectedGap::kWakeUpNs);
  }
}

// What is ready now, in turns: whichever comes faster does not keep the other waiting.
bool Loop::RunReady() {
  size_t count = 0;
  while (count < kTurn && context_.poll_one() > 0) ++count;
  return TakeAnswers() || count > 0;
}

// For what clients or the core do next; true when it came. Others that wait for this core go first.
bool Loop::Poll() {
  std::atomic<int>& polling_doors = *TheBridge().polling_doors;
  const bool has_room = polling_doors.fetch_add(1, std::memory_order_relaxed) + 1 < CoreCount();
  const uint64_t end_ns = SteadyClock::Read() + kPollNs;
  bool found = false;
  while (has_room && !found && !context_.stopped() && SteadyClock::Read() < end_ns) {
    sched_yield();
    found = RunReady();
  }
  polling_doors.fetch_sub(1, std::memory_order_relaxed);
  return found;
}

void Loop::Adopt(std::shared_ptr<Connection> connection) {
  asio::post(context_, [this, connection = std::move(connection)] {
    connections_.insert(connection.get());
    connection->Start();
  });
}

void Loop::Drain() {
  std::promise<void> is_told;
  asio::post(context_, [this, &is_told] {
    is_draining_ = true;
    const auto connections = connections_;
    for (Connection* const connection : connections) connection->Drain();
    is_told.set_value();
  });
  is_told.get_future().wait();
}

void Loop::GiveUpAll() {
  asio::post(context_, [this] {
    for (const auto& [inference, client] : expected_) client->GiveUp();
  });
}

void Loop::Expect(Inference* inference, std::shared_ptr<InferenceClient> client) {
  expected_.emplace(inference, std::move(client));
  ++expected_count_;
  if (!std::exchange(is_watching_, true)) WatchClients();
}

// Looking whether a client is still there costs a system call, which only what lasts is worth.
void Loop::WatchClients() {
  watch_timer_.expires_after(std::chrono::milliseconds(10));
  watch_timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    for (const auto& [inference, client] : expected_) client->WatchIfLong();
    is_watching_ = !expected_.empty();
    if (is_watching_) WatchClients();
  });
}

void Loop::SendSoon(std::shared_ptr<InferenceClient> client) {
  ready_.push_back(std::move(client));
  if (ready_.size() == 1) asio::post(context_, [this] { SendReady(); });
}

void Loop::SendReady() {
  sending_.swap(ready_);
  for (const std::shared_ptr<InferenceClient>& client : sending_) client->Send();
  sending_.clear();
}

// A wake-up costs a system call: one is enough for all answers that came before it is seen.
void Loop::OnAnswer(Inference* inference, bool is_last) {
  answering_count_.fetch_add(1, std::memory_order_relaxed);
  bool is_first;
  {
    MutexLock lock(&mutex_);
    is_first = answered_.empty();
    answered_.push_back({inference, is_last});
    has_answers_ = true;
  }
  // Who is awake looks for answers before it sleeps.
  if (is_first && !is_awake_.load()) asio::post(context_, [] {});
  answering_count_.fetch_sub(1, std::memory_order_release);
}

bool Loop::TakeAnswers() {
  if (!has_answers_.load()) return false;
  taken_.clear();
  {
    MutexLock lock(&mutex_);
    taken_.swap(answered_);
    has_answers_ = false;
  }
  for (const auto& [inference, is_last] : taken_) {
    const auto found = expected_.find(inference);
    if (found == expected_.end()) continue;
    const std::shared_ptr<InferenceClient> client = found->second;
    if (is_last) {
      expected_.erase(found);
      --expected_count_;
    }
    client->OnAnswer(is_last);
  }
  return true;
}

void Loop::CloseSlowClients() {
  const auto connections = connections_;
  const auto now = std::chrono::steady_clock::now();
  for (Connection* const connection : connections) connection->CloseIfSlow(now);
  timer_.expires_after(std::chrono::seconds(1));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) CloseSlowClients();
  });
}

}  // namespace workbench
