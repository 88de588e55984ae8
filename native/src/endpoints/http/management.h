// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What is asked of the server beside inference. Calls the control plane and may take long: not for a loop.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "endpoints/http/reply.h"
#include "endpoints/http/route.h"
#include "endpoints/shared_memory.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// Answers a GET (no body) or POST of settings: topic "trace" or "log", of a model, or "" for all.
using SettingsService = std::function<HttpReply(const std::string& topic, const std::string& model,
                                                const std::optional<std::string>& body)>;

// What management speaks to.
struct ManagedServer {
  TRITONSERVER_Server* server;
  SharedMemory* memory;
  SettingsService settings;
};

// body: none where the request was a GET.
HttpReply Manage(const ManagedServer& managed, const HttpRoute& route,
                 const std::optional<std::string>& body);

}  // namespace workbench
