// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the body of an inference says: JSON, then the bytes of tensors that are not in it.
// After the binary tensor data extension of the KServe v2 protocol as the original server has it.
#pragma once

#include <string_view>

#include "base/result.h"
#include "endpoints/infer_plan.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// Gives the request all that the body says. The body and the plan must outlive the inference.
// json_size: of the body's part that is JSON.
Status ReadInferBody(std::string_view body, size_t json_size, const SharedMemory& memory,
                     TRITONSERVER_InferenceRequest* request, InferPlan* plan);
// The body is the one input, and nothing else.
Status ReadRawBody(std::string_view body, TRITONSERVER_InferenceRequest* request, InferPlan* plan);

}  // namespace workbench
