// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/rate_limit_seat.h"

namespace workbench {

Result<std::unique_ptr<RateLimitSeat>> RateLimitSeat::Create(std::shared_ptr<RateLimitGate> gate,
                                                             const RateLimit& limit, int32_t device) {
  ASSIGN_OR_RETURN(const RateLimitGate::Slot slot, gate->Add(limit, device));
  return std::unique_ptr<RateLimitSeat>(new RateLimitSeat(std::move(gate), slot, !limit.resources.empty()));
}

Status RateLimitSeat::Change(const std::vector<NewLimit>& limits) {
  if (limits.empty()) return OkStatus();
  std::vector<RateLimiter::NewLimit> of_slots;
  of_slots.reserve(limits.size());
  for (const NewLimit& change : limits) of_slots.push_back({change.seat->slot_, change.limit});
  RETURN_IF_ERROR(limits.front().seat->gate_->Change(of_slots));
  for (const NewLimit& change : limits) change.seat->is_limited_ = !change.limit.resources.empty();
  return OkStatus();
}

void RateLimitSeat::Enter() {
  has_entered_ = has_asked_ || is_limited_.load(std::memory_order_relaxed);
  if (!has_entered_) return;
  if (!has_asked_) gate_->Ask(slot_);
  has_asked_ = false;
  gate_->Enter(slot_);
}

void RateLimitSeat::Leave(bool has_executed, bool wants_again) {
  if (!has_entered_) return;
  has_entered_ = false;
  has_asked_ = wants_again;
  gate_->Leave(slot_, has_executed, wants_again);
}

void RateLimitSeat::Withdraw() {
  if (has_asked_) gate_->Withdraw(slot_);
  has_asked_ = false;
}

}  // namespace workbench
