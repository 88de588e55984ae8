// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Response: an answer as the in-process sender sees it. Keeps the memory of its tensors.
#pragma once

#include "engine/bridge.h"
#include "engine/host_memory.h"
#include "inference/inference_response.h"

namespace workbench {

class Response final : public ResponseBridge {
 public:
  // response: null when the flags alone are the message.
  Response(std::shared_ptr<HostMemory> memory, InferenceResponse::Ptr response, bool is_final);

  const Status& error() const override;
  bool is_final() const override { return is_final_; }
  std::vector<TensorOutput> outputs() const override;
  std::vector<std::pair<std::string, ParameterValue>> parameters() const override;
  bool is_empty() const { return response_ == nullptr; }

 private:
  const std::shared_ptr<HostMemory> memory_;  // declared first: the response gives its buffers back to it
  const InferenceResponse::Ptr response_;
  const bool is_final_;
};

}  // namespace workbench
