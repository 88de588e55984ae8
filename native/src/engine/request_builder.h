// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BuildRequest: a request from what the in-process sender describes. The sender's bytes are borrowed.
#pragma once

#include "engine/engine.h"

namespace workbench {

Result<RequestPtr> BuildRequest(Engine& engine, const CallOptions& options);

}  // namespace workbench
