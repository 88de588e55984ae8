// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The generate extension: a flat JSON object in, one out. After the original's description of it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "endpoints/infer_plan.h"
#include "inference/model_signature.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// Members that are called as an input are that input, `id` is the request's, all others are its parameters.
Status ReadGenerateBody(std::string_view body, const ModelSignature& signature,
                        TRITONSERVER_InferenceRequest* request, InferPlan* plan);
// Outputs and parameters by name; an output of one element is that element.
Result<std::string> GenerateJson(TRITONSERVER_InferenceResponse* response);

}  // namespace workbench
