// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Tracing: which requests an engine traces by itself, and what it heard of them, for whoever reads it. Owned
// by the engine; any thread. While it is off a request costs one load and a branch.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "engine/trace_bridge.h"
#include "engine/trace_record.h"
#include "inference/inference_trace.h"

namespace workbench {

class TraceLog;

class Tracing {
 public:
  Tracing();

  // Of one model, or of all that have no settings of their own (""); none: as for all.
  void Set(const std::string& model, std::optional<TraceSettings> settings) EXCLUDES(mutex_);
  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }
  struct Begun {
    InferenceTrace* trace = nullptr;  // deletes itself
    std::shared_ptr<TraceBridge> heard;
  };
  // A trace for a request of that model; none where it is not its turn, unless its door wants to hear of it.
  Begun Begin(const std::string& model, bool is_wanted) EXCLUDES(mutex_);
  // What ended since the last call, and how much was lost for want of a reader.
  TracePage Take();
  // Until there is something to take; false when that took longer.
  bool Wait(uint64_t timeout_ns);

 private:
  struct Sampler {
    TraceSettings settings;
    uint64_t requests = 0;
  };

  // The level of a request whose turn it is; 0: it is not.
  uint32_t Sample(const std::string& model) EXCLUDES(mutex_);

  std::atomic<bool> is_on_{false};
  const std::shared_ptr<TraceLog> log_;  // with traces under way, which may outlive the engine
  Mutex mutex_;
  std::map<std::string, Sampler> samplers_ GUARDED_BY(mutex_);
};

}  // namespace workbench
