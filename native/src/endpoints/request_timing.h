// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a request took where, out of its trace, as a Server-Timing field
// (https://www.w3.org/TR/server-timing/). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/trace_bridge.h"

namespace workbench {

// What a client sends to be told, over HTTP and gRPC: "1".
constexpr char kTimingWish[] = "want-server-timing";
constexpr char kTiming[] = "server-timing";

inline bool IsWished(std::string_view value) { return !value.empty() && value != "0"; }

// "queue;dur=0.012, compute_input;dur=...": milliseconds, of spans whose ends were both heard.
std::string TimingOf(const std::vector<TracePoint>& points);

}  // namespace workbench
