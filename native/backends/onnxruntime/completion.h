// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a configuration leaves out and the model file tells: inputs, outputs, the largest batch, dynamic
// batching. As in the public backend, where inputs and outputs are both given nothing is added.
#pragma once

#include <string>
#include <workbench/backend.hpp>

#include "session.h"

namespace ort {

// The whole configuration in JSON; empty where there is nothing to complete. A model batches if the first
// dimension of each of its tensors varies; then it takes default_max_batch_size where the configuration says
// nothing. Throws INVALID_ARG where the configuration batches and the model can not, or has tensors of types
// that the protocol has not.
std::string Complete(const workbench::Model& model, const Session& session, int64_t default_max_batch_size);

// Throws INVALID_ARG, with what would be right, where the configuration and the model do not fit: a tensor
// that the model has not, one that it needs and nothing feeds, another type or shape.
void RequireFit(const workbench::Model& model, const Session& session);

}  // namespace ort
