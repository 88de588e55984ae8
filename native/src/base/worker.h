// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Worker: a named thread that its owner's destructor joins. The body must end once the owner asks it to.
#pragma once

#include <string>
#include <thread>
#include <utility>

#include "base/patience.h"
#include "base/thread.h"

namespace workbench {

class Worker {
 public:
  // UNAVAILABLE where no thread can be started.
  template <typename Body>
  static Result<Worker> Start(const std::string& name, Body body) {
    ASSIGN_OR_RETURN(std::thread thread, StartThread(name, [body = std::move(body)]() mutable {
                       const Patience patience;  // nobody is there to tell
                       body();
                     }));
    return Worker(std::move(thread));
  }

  Worker() = default;
  ~Worker() { Join(); }
  Worker(Worker&&) = default;
  Worker& operator=(Worker&& other) noexcept {
    Join();
    thread_ = std::move(other.thread_);
    return *this;
  }

  void Join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  explicit Worker(std::thread thread) : thread_(std::move(thread)) {}

  std::thread thread_;
};

}  // namespace workbench
