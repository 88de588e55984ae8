// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors in regions of shared memory: borrowed from there and written there, and copied only where a region
// is a GPU's and the model is not.
#pragma once

#include <string>

#include "base/result.h"
#include "endpoints/infer_plan.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// Gives the request's input those bytes, which the plan keeps.
Status AppendPart(const std::string& input, const SharedMemoryRegion::Part& part,
                  TRITONSERVER_InferenceRequest* request, InferPlan* plan);

// Where an output of that size is written that goes into a region; null: into the machine's memory first.
// prefers_gpu: what the backend wishes. INVALID_ARGUMENT where it does not fit.
Result<void*> PlaceFor(const OutputWish& wish, size_t byte_size, bool prefers_gpu);

// Brings outputs to their regions that were written elsewhere.
Status BringOutputs(TRITONSERVER_InferenceResponse* response, const InferPlan& plan);

}  // namespace workbench
