// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What is asked of the server beside inference. Calls the control plane and may take long: not for a loop.
#pragma once

#include <string_view>

#include "endpoints/http/reply.h"
#include "endpoints/http/route.h"
#include "endpoints/shared_memory.h"
#include "triton/core/tritonserver.h"

namespace workbench {

HttpReply Manage(TRITONSERVER_Server* server, SharedMemory* memory, const HttpRoute& route,
                 std::string_view body);

}  // namespace workbench
