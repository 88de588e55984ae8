// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// How many doors look for work just now instead of sleeping. They leave one core to those that they wait
// for, and an instance looks for work only where they leave it a core as well.
#pragma once

#include <atomic>

#include "base/core_count.h"

namespace workbench {

inline std::atomic<int> polling_doors{0};  // of the core; doors reach it through the bridge

inline bool DoorsLeaveRoom() { return polling_doors.load(std::memory_order_relaxed) + 1 < CoreCount(); }

}  // namespace workbench
