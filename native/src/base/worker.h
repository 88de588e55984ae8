// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Worker: a named thread that its owner's destructor joins. The body must end once the owner asks it to.
#pragma once

#include <pthread.h>

#include <string>
#include <thread>
#include <utility>

#include "base/patience.h"

namespace workbench {

class Worker {
 public:
  Worker() = default;
  template <typename Body>
  Worker(const std::string& name, Body body)
      : thread_([body = std::move(body)]() mutable {
          const Patience patience;  // nobody is there to tell
          body();
        }) {
    // The kernel keeps 15 characters of a thread's name.
    pthread_setname_np(thread_.native_handle(), name.substr(0, 15).c_str());
  }
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
  std::thread thread_;
};

}  // namespace workbench
