// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/rate_limit_gate.h"

namespace workbench {

Result<RateLimitGate::Slot> RateLimitGate::Add(const RateLimit& limit, int32_t device) {
  MutexLock lock(&mutex_);
  Result<Slot> slot = limiter_.Add(limit, device);
  if (slot.ok() && may_enter_.size() <= slot.value()) may_enter_.resize(slot.value() + 1);
  Admit();  // without limits of the server's own there may be more now
  return slot;
}

void RateLimitGate::Remove(Slot slot) {
  MutexLock lock(&mutex_);
  limiter_.Remove(slot);
}

Status RateLimitGate::Change(const std::vector<RateLimiter::NewLimit>& limits) {
  MutexLock lock(&mutex_);
  RETURN_IF_ERROR(limiter_.Change(limits));
  Admit();
  return OkStatus();
}

void RateLimitGate::Ask(Slot slot) {
  MutexLock lock(&mutex_);
  limiter_.Ask(slot);
  Admit();
}

void RateLimitGate::Enter(Slot slot) {
  MutexLock lock(&mutex_);
  while (!may_enter_[slot]) admitted_.Wait(&mutex_);
  may_enter_[slot] = false;
}

void RateLimitGate::Withdraw(Slot slot) {
  MutexLock lock(&mutex_);
  may_enter_[slot] ? limiter_.Forgo(slot) : limiter_.Withdraw(slot);
  may_enter_[slot] = false;
  Admit();
}

void RateLimitGate::Leave(Slot slot, bool has_executed, bool wants_again) {
  MutexLock lock(&mutex_);
  has_executed ? limiter_.Finish(slot) : limiter_.Forgo(slot);
  if (wants_again) limiter_.Ask(slot);
  Admit();
}

void RateLimitGate::Admit() {
  const std::vector<Slot> taken = limiter_.Take();
  for (const Slot slot : taken) may_enter_[slot] = true;
  if (!taken.empty()) admitted_.NotifyAll();
}

}  // namespace workbench
