// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Sender: answers a request by a response factory, any number of times and even after its release. Used by
// Python, with the interpreter's lock, which is given up while a response is sent.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "outputs.h"
#include "response_report.h"
#include "workbench/backend.hpp"

namespace workbench::python_backend {

class Sender {
 public:
  // instance: one of the model's, which is decoupled and whose responses are counted; else null.
  Sender(TRITONBACKEND_Request* request, std::shared_ptr<const DeclaredOutputs> declared,
         TRITONBACKEND_ModelInstance* instance);
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  void Send(const py::object& outputs, const py::object& error, const py::object& parameters, uint32_t flags);
  bool is_cancelled() const;
  bool is_finished() const { return is_finished_; }
  // Ends the request with this error, unless it has ended.
  void Fail(const Error& error);

 private:
  bool Wants(const char* name) const;
  void Fill(TRITONBACKEND_Response* response, const py::object& outputs, const py::object& parameters) const;
  void SendResponse(TRITONBACKEND_Response* response, uint32_t flags, const Error* error);
  void SendFlags(uint32_t flags);

  TRITONBACKEND_ResponseFactory* factory_ = nullptr;
  std::shared_ptr<const DeclaredOutputs> declared_;
  std::unique_ptr<ResponseReport> report_;  // null: nothing is counted
  std::vector<std::string> wanted_;
  bool is_finished_ = false;
};

}  // namespace workbench::python_backend
