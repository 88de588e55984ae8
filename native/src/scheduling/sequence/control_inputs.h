// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ControlInputs: the extra inputs that tell a backend START, END, READY and the correlation id of a request.
// Made once for a model: requests of like standing share them, so giving them allocates nothing. Immutable;
// any thread. Outlives the requests.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "inference/inference_request.h"
#include "scheduling/sequence/sequence.h"
#include "scheduling/sequence/sequence_options.h"

namespace workbench {

class ControlInputs {
 public:
  ControlInputs(const std::vector<ControlSpec>& specs, bool is_batched);
  ControlInputs(const ControlInputs&) = delete;
  ControlInputs& operator=(const ControlInputs&) = delete;

  // INVALID_ARGUMENT for a text where the model takes numbers.
  Status Check(const SequenceId& id, const std::string& model) const;
  // REQUIRES: the request is one of the sequence, and no other of it is out.
  void Give(InferenceRequest* request, Sequence* sequence) const;
  void GiveNull(InferenceRequest* request) const;

 private:
  bool takes_text() const { return id_->input.type == DataType::kBytes; }
  // By what is true: bit 0 START, bit 1 END, bit 2 READY.
  static constexpr size_t kStandings = 8;

  void AddFlag(const ControlSpec& spec);
  RequestInput* InputOf(const ControlSpec& spec, const std::string& bytes);
  void GiveFlags(InferenceRequest* request, size_t standing) const;
  void FillId(Sequence* sequence) const;

  const std::vector<ControlSpec> specs_;
  const std::vector<int64_t> shape_;
  std::deque<RequestInput> inputs_;
  std::vector<RequestInput*> flags_[kStandings];
  const ControlSpec* id_ = nullptr;  // null: the model does not ask for it
  const std::string no_id_;
  RequestInput* null_id_ = nullptr;
};

}  // namespace workbench
