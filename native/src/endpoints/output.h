// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// One output of a response, borrowed from it.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/result.h"
#include "endpoints/infer_plan.h"
#include "triton/core/tritonserver.h"

namespace workbench {

struct Output {
  std::string name;
  TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
  std::vector<int64_t> shape;
  const void* base = nullptr;
  size_t byte_size = 0;
};

Result<Output> OutputOf(TRITONSERVER_InferenceResponse* response, uint32_t index);

// The same as the client wishes it: in classes, where it asked for them, whose bytes *converted keeps.
Result<Output> OutputAsWished(TRITONSERVER_InferenceResponse* response, uint32_t index, const InferPlan& plan,
                              bool is_batched, std::deque<std::string>* converted);

// The class_count greatest values of each row, greatest first, as "value:index" or "value:index:label": the
// bytes of a BYTES tensor; *shape becomes its shape. is_batched: rows are along the first dimension.
Result<std::string> Classify(TRITONSERVER_InferenceResponse* response, uint32_t index, const Output& output,
                             uint32_t class_count, bool is_batched, std::vector<int64_t>* shape);

}  // namespace workbench
