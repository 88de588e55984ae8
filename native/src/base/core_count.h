// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// How many cores the process may run on: in a container or under taskset fewer than the machine has. Of its
// first thread, since others may be placed on cores of their own; read once.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <thread>

namespace workbench {

inline int CoreCount() {
  static const int count = [] {
    cpu_set_t cores;
    const bool is_told = sched_getaffinity(getpid(), sizeof cores, &cores) == 0;
    return is_told ? CPU_COUNT(&cores) : static_cast<int>(std::thread::hardware_concurrency());
  }();
  return count;
}

}  // namespace workbench
