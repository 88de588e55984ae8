// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RateLimitGate: where instances wait until the rate limiter lets them execute. Shared by the models of an
// engine that limits rates; others have none. Any thread; a slot is one thread's at a time.
#pragma once

#include <utility>
#include <vector>

#include "base/mutex.h"
#include "scheduling/rate_limiter.h"

namespace workbench {

class RateLimitGate {
 public:
  using Slot = RateLimiter::Slot;

  explicit RateLimitGate(std::vector<ResourceLimit> limits) : limiter_(std::move(limits)) {}

  Result<Slot> Add(const RateLimit& limit, int32_t device);
  void Remove(Slot slot);
  // Of all of them or of none.
  Status Change(const std::vector<RateLimiter::NewLimit>& limits);

  // The instance wants to execute; Enter returns once it may.
  void Ask(Slot slot);
  void Enter(Slot slot);
  // It does not want to any more.
  void Withdraw(Slot slot);
  // It has executed, or found nothing to execute; and it may want to again.
  void Leave(Slot slot, bool has_executed, bool wants_again);

 private:
  void Admit() REQUIRES(mutex_);

  Mutex mutex_;
  CondVar admitted_;
  RateLimiter limiter_ GUARDED_BY(mutex_);
  std::vector<bool> may_enter_ GUARDED_BY(mutex_);  // by slot
};

}  // namespace workbench
