// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Services: what a model's Python code may ask of its server; the native half of services.Services.
#pragma once

#include <memory>

#include "outputs.h"
#include "workbench/backend.hpp"

namespace workbench::python_backend {

class Services {
 public:
  explicit Services(const Model& model);
  // What the model's outputs are, once its configuration is complete.
  void Declare(const Model& model) { declared_ = std::make_shared<DeclaredOutputs>(model); }
  // The model has gone; what still runs of it is told so.
  void Close() { server_ = nullptr; }
  // Throws UNAVAILABLE after Close.
  TRITONSERVER_Server* server() const;
  const std::shared_ptr<const DeclaredOutputs>& declared() const { return declared_; }

 private:
  TRITONSERVER_Server* server_ = nullptr;
  std::shared_ptr<const DeclaredOutputs> declared_;
};

// What `initialize` of a model is told. REQUIRES: the interpreter's lock.
py::dict ArgumentsOf(const Instance& instance);

// The classes, known to Python from here on. Once, with the interpreter's lock.
void RegisterServices();

}  // namespace workbench::python_backend
