// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of a request: those that the protocol knows, and those that are the backend's.
#pragma once

#include <rapidjson/document.h>

#include "base/result.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// is_binary: set by `binary_data_output`.
Status SetParameters(const rapidjson::Value& parameters, TRITONSERVER_InferenceRequest* request,
                     bool* is_binary);
// One that is the backend's.
Status SetParameter(const char* name, const rapidjson::Value& value, TRITONSERVER_InferenceRequest* request);

}  // namespace workbench
