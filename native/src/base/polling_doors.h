// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// How many doors look for work just now instead of sleeping. One core stays free of pollers, for those that
// they wait for: where the doors take the others, instances sleep.
#pragma once

#include <atomic>
#include <thread>

namespace workbench {

inline std::atomic<int> polling_doors{0};  // of the core; doors reach it through the bridge

inline bool LeavesDoorsRoom() {
  static const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return polling_doors.load(std::memory_order_relaxed) + 1 < cores;
}

}  // namespace workbench
