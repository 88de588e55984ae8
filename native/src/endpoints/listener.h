// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Listener: takes connections at an address, spreads them over its loops, and closes in good order. What the
// doors share.
#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "endpoints/loop.h"
#include "endpoints/managers.h"

namespace workbench {

class Listener {
 public:
  // Makes what will serve a client on that loop's thread.
  using MakeConnection = std::function<std::shared_ptr<Connection>(boost::asio::ip::tcp::socket, Loop*)>;

  // thread_name: of at most 12 characters.
  Listener(MakeConnection make, unsigned loop_count, std::string thread_name);
  ~Listener();  // NOLINT(bugprone-exception-escape): without memory to end with, the process ends

  // port: 0 for one that is free. Once. INVALID_ARGUMENT for an address, UNAVAILABLE for a port that is
  // taken, or where no thread can be started.
  Status Listen(const std::string& address, uint16_t port);
  uint16_t port() const { return port_; }
  // Connections that clients have opened, those that are closed again included.
  uint64_t accepted_count() const { return accepted_count_.load(); }
  // Refuses what is new, lets what is being served end for at most that long, then gives it up. Again, on
  // another thread, while it runs: leaves it less patience.
  void Close(double patience_s);
  // For what may take long or wait for the interpreter.
  boost::asio::io_context& managers() { return managers_.context(); }

 private:
  Status StartThreads();
  void Accept();
  void StopAccepting();
  void LimitPatience(double patience_s);
  int Sum(int (Loop::*count)() const) const;

  const MakeConnection make_;
  const unsigned loop_count_;
  const std::string thread_name_;
  uint16_t port_ = 0;
  Managers managers_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::unique_ptr<boost::asio::ip::tcp::acceptor> acceptor_;  // on the first loop
  size_t next_loop_ = 0;
  std::atomic<uint64_t> accepted_count_{0};
  std::atomic<std::chrono::steady_clock::time_point> until_{std::chrono::steady_clock::time_point::max()};
  std::atomic<bool> is_closed_{false};
};

}  // namespace workbench
