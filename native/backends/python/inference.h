// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers: the answers to a request that a model makes to another one of its server. Used by Python, with the
// interpreter's lock, which is given up while it waits.
#pragma once

#include <memory>
#include <string>

#include "api.h"
#include "triton/core/tritonserver.h"

namespace workbench::python_backend {

struct AskedModel {
  std::string name;
  int64_t version = -1;
  bool is_decoupled = false;  // any number of answers is fine
};

class Answers {
 public:
  // Facts are the fields of services.Facts; inputs a sequence of Tensor. What the server refuses at once
  // becomes the only answer.
  static std::unique_ptr<Answers> Ask(TRITONSERVER_Server* server, const AskedModel& model,
                                      const py::tuple& facts, const py::sequence& inputs);
  ~Answers();

  // Outputs, error and parameters; None after the last answer.
  py::object Take();
  void Cancel();

 private:
  struct Call;
  struct Lent;
  Answers(std::shared_ptr<Call> call, std::unique_ptr<Lent> lent);

  std::shared_ptr<Call> call_;
  std::unique_ptr<Lent> lent_;
};

}  // namespace workbench::python_backend
