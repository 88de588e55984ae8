// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A raw input: bytes alone, whose type and shape follow from what the model declares of its one input.
#pragma once

#include "base/status.h"
#include "inference/model_signature.h"
#include "inference/request_input.h"

namespace workbench {

// Settles type and shape of the input; for BYTES the whole of it is one string, whose length, kept at
// `length`, goes before it. Repeatable. INVALID_ARGUMENT where the shape does not follow from the bytes.
// Pure.
Status DeduceRawInput(const ModelSignature& signature, size_t input_count, RequestInput* input,
                      uint32_t* length);

}  // namespace workbench
