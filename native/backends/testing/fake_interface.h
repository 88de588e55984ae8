// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What backend.hpp asks of a server, answered by plain structs that a test fills and reads. One thread.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "triton/core/tritonbackend.h"

struct TRITONSERVER_Error {
  TRITONSERVER_Error_Code code;
  std::string text;
};

struct TRITONSERVER_Message {
  std::string text;
};

struct TRITONBACKEND_Input {
  std::string name;
  TRITONSERVER_DataType type;
  std::vector<int64_t> shape;
  std::vector<std::string> buffers;
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  size_t skipped = 0;  // bytes before the first buffer's content, to place it at an odd address
};

struct TRITONBACKEND_Output {
  std::string name;
  TRITONSERVER_DataType type;
  std::vector<int64_t> shape;
  std::string bytes;
};

struct TRITONBACKEND_Response {
  TRITONBACKEND_Request* request;
  std::list<TRITONBACKEND_Output> outputs;
};

// What the caller received.
struct Answer {
  std::list<TRITONBACKEND_Output> outputs;
  bool is_final = false;
  std::string error;  // "INVALID_ARG: text", empty for success
};

struct Times {
  uint64_t exec_start, compute_start, compute_end, exec_end;
  bool are_in_order() const {
    return 0 < exec_start && exec_start <= compute_start && compute_start <= compute_end &&
           compute_end <= exec_end;
  }
};

struct TRITONBACKEND_State {
  std::string name;
  std::vector<int64_t> shape;
  std::string bytes;
  bool is_updated = false;
};

struct TRITONBACKEND_Request {
  std::vector<TRITONBACKEND_Input> inputs;
  std::vector<std::string> wanted = {"OUT"};
  std::vector<Answer> answers;
  std::vector<std::string> history;  // "sent", "counted" or "counted as failure", "released", in order
  Times times{};
  std::list<TRITONBACKEND_State> states;
  bool is_iterative = false;  // whether it may be rescheduled
};

struct TRITONBACKEND_Model {
  std::string name = "m";
  std::string folder = "/models/m";
  std::string config = "{\"name\": \"m\", \"max_batch_size\": 8}";
  void* state = nullptr;
};

struct TRITONBACKEND_ModelInstance {
  explicit TRITONBACKEND_ModelInstance(TRITONBACKEND_Model* of) : model(of) {}
  TRITONBACKEND_Model* model;
  std::string name = "m_0";
  void* state = nullptr;
  std::vector<uint64_t> batch_sizes;
};

namespace workbench {

// Little-endian bytes of values.
template <typename T>
std::string BytesOf(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// A string tensor's bytes.
std::string BytesOfTexts(const std::vector<std::string>& texts);

// A request with one input IN of floats, one row for each element.
TRITONBACKEND_Request FloatRequest(const std::vector<float>& values);

// The code and text of an error, which is deleted; empty for none.
std::string TakeError(TRITONSERVER_Error* error);

}  // namespace workbench
