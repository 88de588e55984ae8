// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Target: what a load generator sends to. Completions: where a target reports that a request has ended.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"

namespace workbench {

// Any thread may report. Outlives the run where requests are still in flight when it stops: hence shared.
class Completions {
 public:
  virtual ~Completions() = default;
  virtual void Done(uint64_t index, StatusCode status) = 0;
};

// Owned by the generator. Several senders may call Send at once.
class Target {
 public:
  virtual ~Target() = default;
  // Sends request number index, without waiting for its answer. Done is reported exactly once for each,
  // refused ones too: on any thread, also before Send returns, also after the target is gone.
  virtual void Send(uint64_t index, const std::shared_ptr<Completions>& completions) = 0;
  // Requests that the served side holds now, counted by itself and not by the generator.
  virtual uint64_t InFlight() const = 0;
  // Asks that what is in flight end soon; Done is still reported.
  virtual void CancelAll() {}
};

}  // namespace workbench
