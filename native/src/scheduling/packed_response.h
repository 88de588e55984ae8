// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A cached response as bytes, for caches of other libraries. Meant for this build alone: who keeps bytes
// longer keeps them under keys that no other build asks for.
#pragma once

#include <vector>

#include "base/result.h"
#include "scheduling/response_cache.h"

namespace workbench {

std::vector<char> Pack(const CachedResponse& response);
// INTERNAL where the bytes are not those of a response, or not all of them.
Result<CachedResponse> Unpack(const std::vector<char>& bytes);

}  // namespace workbench
