// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Brings inputs that lie on a GPU to a model that runs on the processor; inputs of one that runs on a GPU
// stay where they are.
#pragma once

#include <vector>

#include "engine/bridge.h"
#include "engine/host_memory.h"
#include "memory/buffer.h"
#include "model/model.h"

namespace workbench {

// Points the inputs to copies in host memory, which must live as long as the request; waits for streams that
// still write inputs.
Result<std::vector<Buffer>> StageInputs(HostMemory& memory, Model* model, CallOptions* options);

}  // namespace workbench
