// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Listener: takes connections at an address, spreads them over its loops, and closes in good order. What the
// doors share.
#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "endpoints/loop.h"

namespace workbench {

class Listener {
 public:
  // Makes what will serve a client on that loop's thread.
  using MakeConnection = std::function<std::shared_ptr<Connection>(boost::asio::ip::tcp::socket, Loop*)>;

  Listener(MakeConnection make, unsigned loop_count, const char* thread_name);
  ~Listener();  // NOLINT(bugprone-exception-escape): without memory to end with, the process ends

  // port: 0 for one that is free. Once. INVALID_ARGUMENT for an address, UNAVAILABLE for a port that is
  // taken.
  Status Listen(const std::string& address, uint16_t port);
  uint16_t port() const { return port_; }
  // Connections that clients have opened, those that are closed again included.
  uint64_t accepted_count() const { return accepted_count_.load(); }
  // Refuses what is new, lets what is being served end for at most that long, then gives it up. Again, on
  // another thread, while it runs: leaves it less patience.
  void Close(double patience_s);
  // For what may take long or wait for the interpreter.
  boost::asio::thread_pool& managers() { return managers_; }

 private:
  void Accept();
  void StopAccepting();
  void LimitPatience(double patience_s);
  int Sum(int (Loop::*count)() const) const;

  const MakeConnection make_;
  uint16_t port_ = 0;
  boost::asio::thread_pool managers_{2};
  std::vector<std::unique_ptr<Loop>> loops_;
  std::unique_ptr<boost::asio::ip::tcp::acceptor> acceptor_;  // on the first loop
  size_t next_loop_ = 0;
  std::atomic<uint64_t> accepted_count_{0};
  std::atomic<std::chrono::steady_clock::time_point> until_{std::chrono::steady_clock::time_point::max()};
  std::atomic<bool> is_closed_{false};
};

}  // namespace workbench
