// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ResponseReport: tells the server how long each response of a decoupled request took, as its statistics have
// them. Owned by the request's Sender.
#pragma once

#include <cstdint>

#include "workbench/backend.hpp"

namespace workbench::python_backend {

class ResponseReport {
 public:
  // The first response's time begins. The factory outlives it.
  ResponseReport(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_ResponseFactory* factory);
  ~ResponseReport();
  ResponseReport(const ResponseReport&) = delete;
  ResponseReport& operator=(const ResponseReport&) = delete;

  // The model has computed its outputs, which are written now.
  void BeginOutput();
  // The response goes: without BeginOutput an empty one. The next one's time begins.
  void End(TRITONSERVER_Error* error);
  // What was begun is given up: it is no response.
  void Forget() { output_start_ns_ = 0; }

 private:
  TRITONBACKEND_ModelInstanceResponseStatistics* statistics_ = nullptr;
  uint64_t start_ns_;
  uint64_t output_start_ns_ = 0;
};

}  // namespace workbench::python_backend
