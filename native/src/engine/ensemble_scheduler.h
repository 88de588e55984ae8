// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EnsembleScheduler: the scheduler of a model that is composed of others. It has no queue and no instances:
// each request runs through the graph by itself.
#pragma once

#include <utility>

#include "engine/ensemble_run.h"

namespace workbench {

class EnsembleScheduler final : public Scheduler {
 public:
  explicit EnsembleScheduler(EnsembleContext context) : context_(std::move(context)) {}

  // A step that fails is told in the response.
  std::optional<Refusal> Enqueue(RequestPtr request) override {
    EnsembleRun::Start(context_, std::move(request));
    return std::nullopt;
  }
  StatisticsSnapshot statistics() const override { return context_.statistics->Snapshot(); }

  // Nothing waits here, and there is no instance to take anything.
  bool Take(uint32_t instance, Batch* batch) override { return false; }
  bool has_ready(uint32_t instance) const override { return false; }
  size_t queue_length() const override { return 0; }
  void Reconfigure(SchedulingOptions options) override {}
  void Flush() override {}
  void Stop() override {}

 private:
  EnsembleContext context_;
};

}  // namespace workbench
