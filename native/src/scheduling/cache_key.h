// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What of a request decides its response: the loaded model, the inputs with names, types, shapes and bytes,
// the outputs that are asked for, the parameters.
#pragma once

#include <optional>

#include "inference/inference_request.h"
#include "scheduling/response_cache.h"

namespace workbench {

// owner: the loaded model. Nothing where bytes lie in memory that cannot be read from here. REQUIRES:
// prepared.
std::optional<CacheKey> CacheKeyOf(InferenceRequest& request, uint64_t owner);

}  // namespace workbench
