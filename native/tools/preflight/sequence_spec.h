// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// How a model under trial serves sequences: its control inputs and states are there, so that its backend
// finds what it asks for. States begin with zeros, in the shape of their initial states.
#pragma once

#include "core.h"
#include "workbench/backend/json.hpp"

namespace workbench::preflight {

SequenceOptions ReadSequence(const Core& core, const Json& config);
// TYPE_FP32 and so on.
DataType ReadDataType(const Core& core, const std::string& name);
std::vector<int64_t> ReadDims(const Json& dims);

}  // namespace workbench::preflight
