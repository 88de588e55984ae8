// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The settings and callbacks of nghttp2 that all connections share.
#pragma once

#include <nghttp2/nghttp2.h>

namespace workbench {

class GrpcConnection;

// A server's session with its settings submitted, whose callbacks speak to that connection. Null without
// memory.
nghttp2_session* NewSession(GrpcConnection* connection);

}  // namespace workbench
