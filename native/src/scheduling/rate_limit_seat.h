// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RateLimitSeat: an instance's place at the gate. Owned by the instance; instances of an engine that limits
// no rates have none.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "scheduling/rate_limit_gate.h"

namespace workbench {

class RateLimitSeat {
 public:
  struct NewLimit {
    RateLimitSeat* seat;
    RateLimit limit;
  };

  // INVALID_ARGUMENT where the instance could never execute. The gate is shared with the engine's other
  // instances.
  static Result<std::unique_ptr<RateLimitSeat>> Create(std::shared_ptr<RateLimitGate> gate,
                                                       const RateLimit& limit, int32_t device);
  // REQUIRES: left.
  ~RateLimitSeat() { gate_->Remove(slot_); }

  // What the instances need from their next execution on: all of them or none. All are at one gate.
  static Status Change(const std::vector<NewLimit>& limits);

  // --- on the instance's thread
  // One turn: once the instance may, executes, where there is something to execute; true when it has
  // executed. With `asks_ahead` it then waits from now on for the next turn, beside those that waited while
  // it executed; not where its thread does something else before, such as wait for another instance's turn.
  template <typename HasReady, typename Execute>
  bool Turn(const HasReady& has_ready, const Execute& execute, bool asks_ahead) {
    if (!has_ready()) {
      Withdraw();  // another one took what it waited for
      return false;
    }
    Enter();
    const bool has_executed = execute();
    // Who found nothing goes to sleep, and must not hold meanwhile what others wait for.
    Leave(has_executed, has_executed && asks_ahead && has_ready());
    return has_executed;
  }
  // Returns once the instance may execute; at once where it needs nothing.
  void Enter();
  // With `wants_again` the instance waits from now on, beside those that waited while it executed: it has to
  // Enter or to Withdraw.
  void Leave(bool has_executed, bool wants_again = false);
  void Withdraw();

 private:
  RateLimitSeat(std::shared_ptr<RateLimitGate> gate, RateLimitGate::Slot slot, bool is_limited)
      : gate_(std::move(gate)), slot_(slot), is_limited_(is_limited) {}

  const std::shared_ptr<RateLimitGate> gate_;
  const RateLimitGate::Slot slot_;
  std::atomic<bool> is_limited_;
  // Of the instance's thread.
  bool has_asked_ = false;
  bool has_entered_ = false;
};

}  // namespace workbench
