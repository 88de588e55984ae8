// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Reshape: the shape that clients see against the one that the backend sees (a tensor's `reshape` in the
// configuration). Variable dimensions pair up in order; element counts are equal by the configuration's own
// rules.
#pragma once

#include <vector>

#include "inference/model_signature.h"

namespace workbench {

// Client's shape to backend's. REQUIRES: spec.has_reshape, and the shape matches spec.dims.
void ApplyReshape(const TensorSpec& spec, bool has_batch_dim, std::vector<int64_t>* shape);
// Backend's shape to client's.
void UndoReshape(const TensorSpec& spec, bool has_batch_dim, std::vector<int64_t>* shape);

// Shape of a tensor for a taker that disagrees with its maker about batching: a batch dimension of 1 is added
// or taken away where the rest then matches dims, the taker's declaration. Else the shape stays.
void AdaptBatchDimension(const std::vector<int64_t>& dims, bool is_batched, bool is_taker_batched,
                         std::vector<int64_t>* shape);

}  // namespace workbench
