// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// QueuePolicy: how long and how many requests of a priority level may wait, and what happens beyond. A value.
#pragma once

#include <cstdint>
#include <map>

namespace workbench {

enum class TimeoutAction : uint8_t {
  kReject,  // answered with UNAVAILABLE once its time is up
  kDelay,   // goes behind all of its level whose time is not up
};

struct QueuePolicy {
  TimeoutAction timeout_action = TimeoutAction::kReject;
  uint64_t default_timeout_ns = 0;  // 0: none
  bool allow_timeout_override = false;
  uint32_t max_queue_size = 0;  // 0: any

  // Of a request that asks for request_timeout_ns (0: for none). A request can shorten the default, never
  // lengthen it, and where there is no default it cannot set one.
  uint64_t TimeoutOf(uint64_t request_timeout_ns) const {
    const bool is_shorter = request_timeout_ns != 0 && request_timeout_ns < default_timeout_ns;
    return allow_timeout_override && is_shorter ? request_timeout_ns : default_timeout_ns;
  }
};

// The queueing part of a model's configuration.
struct QueueOptions {
  uint32_t priority_levels = 0;  // 0: all requests are alike
  uint32_t default_priority_level = 0;
  QueuePolicy default_policy;
  std::map<uint32_t, QueuePolicy> level_policies;  // of levels that differ from the default
};

// How many wait at a priority level; levels are numbered from 1, which goes first.
struct QueueLevel {
  uint32_t level = 0;
  size_t length = 0;
};

}  // namespace workbench
