// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of an inference request over gRPC, and what its status means. Pure.
#pragma once

#include <string>
#include <string_view>

#include "load/request_plan.h"

namespace workbench {

// The message's end for a request of a sequence: its parameters, which may stand anywhere in a message. Empty
// for others.
std::string SequenceParameters(const PlannedRequest& planned);

// The five bytes before a message.
std::string MessageFrame(size_t byte_size);

// What the text of `grpc-status` stands for.
StatusCode StatusOfGrpc(std::string_view text);

}  // namespace workbench
