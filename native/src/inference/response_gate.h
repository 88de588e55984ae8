// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ResponseGate: lets answers of one inference through until the final one, and nothing after it, however late
// or often a backend answers and whatever became of the request. It recycles itself with the final answer;
// its memory is never given back, so a pass of a life that is over may be shown and is refused.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/free_list.h"

namespace workbench {

class ResponseGate {
 public:
  // The right to answer one inference; copied into each of its responses and factories. Without a gate:
  // always.
  struct Pass {
    ResponseGate* gate = nullptr;
    uint64_t life = 0;

    bool is_valid() const { return gate == nullptr || gate->life_.load(std::memory_order_acquire) == life; }
  };

  static Pass Open() {
    ResponseGate* const gate = FreeList<ResponseGate>::Take();
    return {gate, gate->life_.load(std::memory_order_relaxed)};
  }
  // Whether the answer may go; at most one final one does.
  static bool Admit(const Pass& pass, bool is_final) {
    if (!is_final || pass.gate == nullptr) return pass.is_valid();
    uint64_t life = pass.life;
    if (!pass.gate->life_.compare_exchange_strong(life, life + 1, std::memory_order_acq_rel)) return false;
    FreeList<ResponseGate>::Return(pass.gate);
    return true;
  }
  // Nothing was answered and nothing will be.
  static void Close(const Pass& pass) {
    if (pass.gate != nullptr) (void)Admit(pass, true);
  }

  ResponseGate* next_free = nullptr;

 private:
  friend class FreeList<ResponseGate>;
  ResponseGate() = default;

  std::atomic<uint64_t> life_{0};
};

}  // namespace workbench
