// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// TraceBridge: the trace of one request, as the door sees it through which the request came. Any thread. It
// is told to whoever reads traces when both the core and the door let go of it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace workbench {

// Name, nanoseconds of the steady clock.
using TracePoint = std::pair<std::string, uint64_t>;

class TraceBridge {
 public:
  virtual ~TraceBridge() = default;
  // What the core does not see: when bytes came and went.
  virtual void Report(const std::string& activity, uint64_t time_ns) = 0;
  // What was heard so far, as it came.
  virtual std::vector<TracePoint> points() const = 0;
};

}  // namespace workbench
