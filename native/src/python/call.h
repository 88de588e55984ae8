// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// PyCall: an inference as Python holds it, with the arrays that it borrows.
#pragma once

#include <memory>
#include <vector>

#include "python/module.h"

namespace workbench {

// Buffers of Python objects, held until the call is done. REQUIRES: the GIL to make and to destroy.
class BorrowedBuffers {
 public:
  BorrowedBuffers() = default;
  ~BorrowedBuffers();
  BorrowedBuffers(const BorrowedBuffers&) = delete;
  BorrowedBuffers& operator=(const BorrowedBuffers&) = delete;
  const Py_buffer& Add(py::handle object);
  // An array, whose memory is read where it lies.
  void Keep(py::handle array) { arrays_.push_back(py::reinterpret_borrow<py::object>(array)); }

 private:
  std::vector<std::unique_ptr<Py_buffer>> buffers_;
  std::vector<py::object> arrays_;
};

struct PyCall {
  std::shared_ptr<PyEngine> engine;
  std::shared_ptr<CallBridge> call;
  std::shared_ptr<BorrowedBuffers> buffers;  // shared with the list of what abandoned calls still borrow
  ~PyCall();
};

// Fills options.inputs from (name, datatype, shape, buffer) tuples, borrowing the buffers.
void AddInputs(py::handle inputs, CallOptions* options, BorrowedBuffers* buffers);

// Remembers a queued call, to be found when the core says that it is done.
std::shared_ptr<PyCall> KeepQueued(std::shared_ptr<PyCall> call);
std::shared_ptr<PyCall> TakeQueued(const std::shared_ptr<CallBridge>& call);

}  // namespace workbench
