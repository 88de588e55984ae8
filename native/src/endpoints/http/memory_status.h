// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The regions of shared memory that are registered, as JSON.
#pragma once

#include <string>

#include "endpoints/http/reply.h"
#include "endpoints/shared_memory.h"

namespace workbench {

// Of a kind; name: of one region; empty: of all.
HttpReply MemoryStatus(const SharedMemory& memory, SharedMemoryKind kind, const std::string& name);

}  // namespace workbench
