// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Services: what a model's Python code may ask of its server; the native half of services.Services.
#pragma once

#include <memory>
#include <vector>

#include "outputs.h"
#include "sender.h"
#include "workbench/backend.hpp"

namespace workbench::python_backend {

class Services {
 public:
  explicit Services(const Model& model);
  // What the model's outputs are, once its configuration is complete.
  void Declare(const Model& model);
  // The model has gone; what still runs of it is told so.
  void Close() { server_ = nullptr; }
  // The model's instances. REQUIRES: the interpreter's lock.
  void Join(const Instance& instance) { instances_.push_back(instance.handle()); }
  void Leave(const Instance& instance);
  // Throws UNAVAILABLE after Close.
  TRITONSERVER_Server* server() const;
  const std::shared_ptr<const DeclaredOutputs>& declared() const { return declared_; }
  std::unique_ptr<Sender> NewSender(TRITONBACKEND_Request* request) const;

 private:
  TRITONSERVER_Server* server_ = nullptr;
  std::shared_ptr<const DeclaredOutputs> declared_;
  bool is_decoupled_ = false;
  std::vector<TRITONBACKEND_ModelInstance*> instances_;
};

// What `initialize` of a model is told. REQUIRES: the interpreter's lock.
py::dict ArgumentsOf(const Instance& instance);

// The classes, known to Python from here on. Once, with the interpreter's lock.
void RegisterServices();

}  // namespace workbench::python_backend
