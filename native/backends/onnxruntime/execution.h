// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Execution: requests as tensors of ONNX Runtime and back. Owned by an instance, used by its thread. Inputs
// of a lone request are read where they lie; its outputs are computed into the response where their shape is
// known before; all else is copied once.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>
#include <workbench/backend.hpp>

#include "session.h"

namespace ort {

class Execution {
 public:
  Execution(const workbench::Model& model, const Session& session);

  // Runs the batch at once, or request by request where the model does not batch.
  void Run(workbench::Batch& batch);

 private:
  using Requests = workbench::Span<workbench::Request>;
  using Value = Owned<OrtValue>;

  // An output of the model that somebody wants.
  struct Wanted {
    const Tensor* tensor;
    bool is_output;  // else a state alone
    bool is_state;
  };

  void Run(workbench::Batch& batch, Requests requests);
  std::vector<Wanted> WantedOf(Requests requests) const;

  void AddInput(workbench::Batch& batch, Requests requests, const Tensor& tensor);
  Value Gather(Requests requests, const Tensor& tensor);
  Value GatherStrings(Requests requests, const char* name, const std::vector<int64_t>& shape);
  // {rows of all, rest}; throws where the rests differ.
  std::vector<int64_t> JoinedShape(Requests requests, const Tensor& tensor) const;

  // Null where the shape is not known before.
  Value Target(Requests requests, const Wanted& wanted);
  void Deal(Requests requests, const Wanted& wanted, OrtValue* value);
  void DealBytes(Requests requests, const Wanted& wanted, OrtValue* value, TRITONSERVER_DataType type,
                 const std::vector<int64_t>& shape);
  void DealStrings(Requests requests, const Wanted& wanted, OrtValue* value,
                   const std::vector<int64_t>& shape);

  Value Wrap(const void* data, size_t byte_size, const std::vector<int64_t>& shape, int element_type) const;
  int64_t RowsOf(Requests requests) const;
  // Of one request's part of an output that has `shape` for all of them.
  std::vector<int64_t> PartShape(const workbench::Request& request, const std::string& output,
                                 const std::vector<int64_t>& shape) const;
  void RequireBatch(Requests requests, const std::string& output, const std::vector<int64_t>& shape) const;

  const workbench::Model& model_;
  const Session& session_;
  const Api& api_;
  const Owned<OrtMemoryInfo> host_;
  std::set<std::string> outputs_;
  std::set<std::string> states_;
  std::set<std::string> ragged_;
  std::set<std::string> batch_inputs_;
  std::map<std::string, workbench::detail::BatchOutputRule> batch_outputs_;
  workbench::detail::Scratch scratch_;

  // Of the run under way.
  std::vector<const char*> input_names_;
  std::vector<Value> inputs_;
};

}  // namespace ort
