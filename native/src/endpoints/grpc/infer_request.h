// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a ModelInferRequest asks for, given to a request of the core.
#pragma once

#include "endpoints/grpc/infer_message.h"
#include "endpoints/infer_plan.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// -1 for none. INVALID_ARGUMENT for what is no number.
Result<int64_t> VersionOf(std::string_view version, std::string_view model);

// Gives the request all that the message says. The message's bytes and the plan must outlive the inference.
// wants_final: whether an end without a response is to be told.
Status FillRequest(const InferRequestMessage& message, const SharedMemory& memory,
                   TRITONSERVER_InferenceRequest* request, InferPlan* plan, bool* wants_final);

// Parameters of a request: those that the protocol knows, and those that are the backend's.
Status SetParameters(const std::vector<MessageParameter>& parameters, TRITONSERVER_InferenceRequest* request,
                     bool* wants_final);

}  // namespace workbench
