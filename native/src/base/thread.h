// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// StartThread: a named thread of the caller's, or why the machine gives none. Whoever takes it joins it.
#pragma once

#include <pthread.h>

#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/result.h"

namespace workbench {

// UNAVAILABLE where no thread can be started.
template <typename Body>
Result<std::thread> StartThread(const std::string& name, Body body) {
  std::thread thread;
  try {
    thread = std::thread(std::move(body));
  } catch (const std::system_error& error) {
    return UnavailableError("thread '" + name + "' can not be started: " + error.code().message() +
                            "; the system limits how many threads there are, and the memory that they take");
  }
  // The kernel keeps 15 characters of a thread's name.
  pthread_setname_np(thread.native_handle(), name.substr(0, 15).c_str());
  return thread;
}

}  // namespace workbench
