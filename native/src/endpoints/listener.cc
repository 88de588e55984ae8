// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/listener.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

namespace workbench {

namespace asio = boost::asio;
using asio::ip::tcp;

Listener::Listener(MakeConnection make, unsigned loop_count, std::string thread_name)
    : make_(std::move(make)), loop_count_(std::max(1u, loop_count)), thread_name_(std::move(thread_name)) {}

// NOLINTNEXTLINE(bugprone-exception-escape)
Listener::~Listener() { Close(0); }

Status Listener::StartThreads() {
  constexpr unsigned kManagerCount = 2;
  RETURN_IF_ERROR(managers_.Start(kManagerCount, thread_name_ + "-m"));
  while (loops_.size() < loop_count_) {
    ASSIGN_OR_RETURN(std::unique_ptr<Loop> loop, Loop::Create(thread_name_.c_str()));
    loops_.push_back(std::move(loop));
  }
  return OkStatus();
}

Status Listener::Listen(const std::string& address, uint16_t port) {
  RETURN_IF_ERROR(StartThreads());
  boost::system::error_code error;
  const asio::ip::address parsed = asio::ip::make_address(address, error);
  if (error) return InvalidArgumentError("'" + address + "' is no IP address to listen at");
  const tcp::endpoint endpoint(parsed, port);
  acceptor_ = std::make_unique<tcp::acceptor>(loops_[0]->context());
  acceptor_->open(endpoint.protocol(), error);
  if (!error) acceptor_->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_->bind(endpoint, error);
  if (!error) acceptor_->listen(1024, error);
  if (error) {
    return UnavailableError("port " + std::to_string(port) + " of " + address +
                            " can not be listened at: " + error.message());
  }
  port_ = acceptor_->local_endpoint(error).port();
  asio::post(loops_[0]->context(), [this] { Accept(); });
  return OkStatus();
}

void Listener::Accept() {
  Loop* const loop = loops_[next_loop_++ % loops_.size()].get();
  acceptor_->async_accept(loop->context(), [this, loop](boost::system::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      ++accepted_count_;
      socket.set_option(tcp::no_delay(true), error);
      loop->Adopt(make_(std::move(socket), loop));
      return Accept();
    }
    // No descriptor is left, most likely: others that end make room.
    auto wait = std::make_shared<asio::steady_timer>(loops_[0]->context(), std::chrono::milliseconds(50));
    wait->async_wait([this, wait](const boost::system::error_code& stopped) {
      if (!stopped && acceptor_->is_open()) Accept();
    });
  });
}

int Listener::Sum(int (Loop::*count)() const) const {
  int sum = 0;
  for (const auto& loop : loops_) sum += (loop.get()->*count)();
  return sum;
}

void Listener::StopAccepting() {
  if (loops_.empty()) return;  // Listen failed before there was one
  std::promise<void> is_deaf;
  asio::post(loops_[0]->context(), [this, &is_deaf] {
    boost::system::error_code ignored;
    if (acceptor_ != nullptr) acceptor_->close(ignored);
    is_deaf.set_value();
  });
  is_deaf.get_future().wait();
}

void Listener::LimitPatience(double patience_s) {
  using Clock = std::chrono::steady_clock;
  constexpr double kYear = 365.0 * 24 * 3600;
  const auto wanted = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(std::clamp(patience_s, 0.0, kYear)));
  auto until = until_.load();
  while (wanted < until && !until_.compare_exchange_weak(until, wanted)) {
  }
}

void Listener::Close(double patience_s) {
  LimitPatience(patience_s);
  if (is_closed_.exchange(true)) return;
  StopAccepting();
  for (const auto& loop : loops_) loop->Drain();
  constexpr std::chrono::milliseconds kLook(2);
  while (Sum(&Loop::busy_count) > 0 && std::chrono::steady_clock::now() < until_.load())
    std::this_thread::sleep_for(kLook);
  for (const auto& loop : loops_) loop->GiveUpAll();
  // The core answers everything that it took, and the loops must be there to hear it. Who does not read the
  // reply is not waited for.
  while (Sum(&Loop::expected_count) > 0) std::this_thread::sleep_for(kLook);
  managers_.Join();
  loops_.clear();
}

}  // namespace workbench
