// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Execution providers: what beside the processor runs a model.
#pragma once

#include <workbench/backend.hpp>

#include "session.h"

namespace ort {

// CUDA for instances on a GPU, and before it what optimization { execution_accelerators } names. Throws
// UNAVAILABLE that tells what the library has where it lacks one, INVALID_ARG for names that are none.
void AppendProviders(const Api& api, const workbench::Model& model, const Device& device,
                     OrtSessionOptions* options);

}  // namespace ort
