// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/inference_trace.h"

#include "inference/inference_response.h"

namespace workbench {
namespace {

uint64_t NextId() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

InferenceTrace::InferenceTrace(uint32_t level, uint64_t parent_id)
    : level_(level), id_(NextId()), parent_id_(parent_id) {}

void InferenceTrace::SetRequest(const std::string& model_name, int64_t model_version,
                                const std::string& request_id) {
  model_name_ = model_name;
  model_version_ = model_version;
  request_id_ = request_id;
}

void TraceHolder::OnSend(const InferenceResponse& response) {
  if (trace_ == nullptr || !trace_->wants_tensors()) return;
  for (size_t i = 0; i < response.output_count(); ++i) {
    const InferenceResponse::Output& output = response.output(i);
    const OutputBuffer& buffer = output.buffer();
    trace_->ReportTensor(TraceActivity::kTensorBackendOutput,
                         {output.name().c_str(), output.type(), buffer.base, buffer.byte_size,
                          output.shape().data(), output.shape().size(), buffer.place});
  }
}

}  // namespace workbench
