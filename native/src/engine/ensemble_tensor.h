// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EnsembleTensor: a tensor on its way through an ensemble: an input of the ensemble's request, or an output
// of a step's response, which it keeps alive. A value; its bytes are never copied on the way from step to
// step.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "inference/inference_request.h"
#include "inference/inference_response.h"

namespace workbench {

class EnsembleTensor {
 public:
  // Shared by the tensors of one response that are still to be taken.
  using SharedResponse = std::shared_ptr<InferenceResponse>;

  EnsembleTensor() = default;
  EnsembleTensor(const RequestInput& input, bool is_batched) : input_(&input), is_batched_(is_batched) {}
  EnsembleTensor(SharedResponse response, size_t output, bool is_batched)
      : response_(std::move(response)), output_(&response_->output(output)), is_batched_(is_batched) {}

  bool is_present() const { return input_ != nullptr || output_ != nullptr; }
  // Adds itself as that input of a step's request.
  Status AddTo(InferenceRequest* request, const std::string& name) const;
  // Adds itself as that output of the ensemble's response. is_only: no other tensor has the bytes' response.
  Status MoveTo(InferenceResponse* response, const TensorSpec& spec, bool is_taker_batched, bool is_only);
  const SharedResponse& response() const { return response_; }

 private:
  std::vector<InputBuffer> buffers() const;
  DataType type() const { return input_ != nullptr ? input_->type : output_->type(); }
  const std::vector<int64_t>& shape() const {
    return input_ != nullptr ? input_->original_shape : output_->shape();
  }

  const RequestInput* input_ = nullptr;
  SharedResponse response_;
  InferenceResponse::Output* output_ = nullptr;
  bool is_batched_ = false;  // whether its maker batches
};

}  // namespace workbench
