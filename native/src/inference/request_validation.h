// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules that inputs of a request must satisfy before anything of it is read by a backend.
#pragma once

#include "base/recycled_vector.h"
#include "base/status.h"
#include "inference/model_signature.h"
#include "inference/queue_entry.h"
#include "inference/request_input.h"

namespace workbench {

// Checks presence, type, shape and byte size of every input; fills RequestInput::shape, entry->rows and
// entry->shape_signature. INVALID_ARGUMENT says which input, what was expected and what came.
Status ValidateInputs(const ModelSignature& signature, RecycledVector<RequestInput>* inputs,
                      QueueEntry* entry);

}  // namespace workbench
