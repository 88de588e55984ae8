// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a model answers, as its configuration declares it and as Python hands it over.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "api.h"
#include "workbench/backend.hpp"

namespace workbench::python_backend {

class DeclaredOutputs {
 public:
  explicit DeclaredOutputs(const Model& model);
  // Throws INVALID_ARG where the output has another type. False: there is no such output.
  bool Check(const char* name, TRITONSERVER_DataType type) const;
  std::string names() const;
  size_t size() const { return outputs_.size(); }

 private:
  std::vector<std::pair<std::string, TRITONSERVER_DataType>> outputs_;
};

// Memory for an output; null: nobody wants it.
using AllocateOutput =
    std::function<void*(const char* name, TRITONSERVER_DataType type, Shape shape, size_t byte_size)>;
// Writes tensors (a list of Tensor). REQUIRES: the interpreter's lock. Throws INVALID_ARG for what is no
// output of the model.
void WriteOutputs(PyObject* tensors, const DeclaredOutputs& declared, const AllocateOutput& allocate);

}  // namespace workbench::python_backend
