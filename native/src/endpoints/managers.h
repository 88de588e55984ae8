// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Managers: the threads of a door for what may take long or wait for the interpreter. Owned by its Listener.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/thread.h"

namespace workbench {

class Managers {
 public:
  Managers() : work_(boost::asio::make_work_guard(context_)) {}
  ~Managers() { Join(); }

  // Once. UNAVAILABLE where no thread can be started. Asio's own pool does not come back when it lacks one.
  Status Start(unsigned count, const std::string& thread_name) {
    threads_.reserve(count);
    while (threads_.size() < count) {
      ASSIGN_OR_RETURN(std::thread thread, StartThread(thread_name, [this] { context_.run(); }));
      threads_.push_back(std::move(thread));
    }
    return OkStatus();
  }
  // Once all that was posted is done.
  void Join() {
    work_.reset();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  boost::asio::io_context& context() { return context_; }

 private:
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::vector<std::thread> threads_;
};

}  // namespace workbench
