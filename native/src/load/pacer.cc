// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/pacer.h"

#include <thread>

namespace workbench {

bool SteadyPacer::WaitUntil(uint64_t time_ns) {
  if (NowNs() + spin_ns_ < time_ns && !Sleep(time_ns - spin_ns_)) return false;
  while (!is_stopped_.load(std::memory_order_relaxed)) {
    if (NowNs() >= time_ns) return true;
    // Gives way: on a small machine the spinner may stand on the core of an instance that has work.
    std::this_thread::yield();
  }
  return false;
}

bool SteadyPacer::Sleep(uint64_t until_ns) {
  MutexLock lock(&mutex_);
  while (!is_stopped_.load() && NowNs() < until_ns) stopped_.WaitUntil(&mutex_, until_ns);
  return !is_stopped_.load();
}

void SteadyPacer::Stop() {
  {
    MutexLock lock(&mutex_);
    is_stopped_.store(true);
  }
  stopped_.NotifyAll();
}

}  // namespace workbench
