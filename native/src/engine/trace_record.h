// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a trace that ended tells, as plain values; and which requests are traced.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace_bridge.h"
#include "inference/data_type.h"

namespace workbench {

struct TraceSettings {
  uint32_t level = 0;    // bits of TRITONSERVER_InferenceTraceLevel; 0: none is traced
  uint64_t rate = 1000;  // one of so many requests is traced
  int64_t count = -1;    // traces to come; -1: any number
};

struct TracedTensor {
  std::string activity;
  std::string name;
  DataType type = DataType::kInvalid;
  std::vector<int64_t> shape;
  std::string bytes;  // empty where they lie where nobody can read them from here
};

struct TraceRecord {
  uint64_t id = 0;
  uint64_t parent_id = 0;
  std::string model;
  int64_t version = 0;
  std::string request_id;
  std::vector<TracePoint> activities;  // as they came
  std::vector<TracedTensor> tensors;
};

struct TracePage {
  std::vector<TraceRecord> records;
  uint64_t dropped = 0;
};

}  // namespace workbench
