// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EnsembleBuilder: makes the schedulers of ensembles. A value; what it borrows outlives the models.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "engine/ensemble_scheduler.h"
#include "model/model.h"

namespace workbench {

struct EnsembleBuilder {
  using NewScheduler = std::function<std::unique_ptr<Scheduler>(const Model&)>;

  // INVALID_ARGUMENT where the steps make no graph.
  Result<NewScheduler> Build(EnsembleOptions options, const ModelSignature& signature) const;

  StepRunner* runner;
  ResponseAllocator* allocator;
  EventSink* events;
  const Clock* clock;
};

}  // namespace workbench
