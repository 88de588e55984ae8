// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Responses of the core as ModelInferResponse and ModelStreamInferResponse.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "endpoints/grpc/outgoing_message.h"
#include "endpoints/infer_plan.h"

namespace workbench {

using OutgoingRef = std::shared_ptr<OutgoingMessage>;

// is_batched: the model's first dimension is the batch's. is_final: told as a parameter where there is one.
// The error of a response is the result's.
Result<OutgoingRef> InferResponseOf(ResponsePtr response, const InferPlan& plan, bool is_batched,
                                    std::optional<bool> is_final);
// What tells that nothing more comes, where no response did.
OutgoingRef EmptyFinalResponse(std::string_view model, std::string_view version, std::string_view id);
// A stream's message out of a response, or of the reason why a request has none.
void WrapForStream(OutgoingMessage* message);
OutgoingRef StreamError(const std::string& reason, std::string_view id);

}  // namespace workbench
