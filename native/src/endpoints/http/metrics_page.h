// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The page that Prometheus reads.
#pragma once

#include "endpoints/http/reply.h"
#include "triton/core/tritonserver.h"

namespace workbench {

HttpReply MetricsPage(TRITONSERVER_Server* server);

}  // namespace workbench
