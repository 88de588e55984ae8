// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The reply to an inference: JSON, then the bytes of outputs that are wanted as such.
#pragma once

#include "endpoints/http/reply.h"
#include "endpoints/http/tensor_json.h"
#include "endpoints/infer_plan.h"

namespace workbench {

// is_batched: the model's first dimension is the batch's.
Result<HttpReply> InferReply(ResponsePtr response, const InferPlan& plan, bool is_batched);

// Writes all parameters of a response as members of the object that is open.
Status WriteParameters(TRITONSERVER_InferenceResponse* response, JsonWriter* writer);

}  // namespace workbench
