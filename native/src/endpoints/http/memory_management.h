// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of shared memory, of the machine's and of GPUs'.
#pragma once

#include <string_view>

#include "endpoints/http/management.h"

namespace workbench {

// REQUIRES: the route is one of those.
HttpReply ManageMemory(const ManagedServer& managed, const HttpRoute& route, std::string_view body);

}  // namespace workbench
