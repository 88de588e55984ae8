// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EnsembleRun::StepCall: a step under way in one scope. It is over, and deletes itself, once it gave its
// final answer and its request was released.
#pragma once

#include "engine/ensemble_run.h"

namespace workbench {

struct EnsembleRun::StepCall {
  EnsembleRun* run;
  Place place;
  std::vector<EnsembleTensor> inputs;  // kept until the release
  std::vector<bool> needs;             // which of the step's outputs somebody takes
  InferenceRequest::Parent parent;
  std::atomic<int> parts_left{2};
  bool is_batched = false;    // the step's model batches
  bool has_answered = false;  // guarded by the run's mutex
};

}  // namespace workbench
