// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ensemble_tensor.h"

#include <cstring>

#include "inference/reshape.h"

namespace workbench {
namespace {

Status CopyBytes(const std::vector<InputBuffer>& from, const OutputBuffer& to) {
  if (to.place.type == MemoryType::kGpu) {
    return UnsupportedError("an ensemble's output is wanted in GPU memory, and was made in the processor's");
  }
  char* target = static_cast<char*>(to.base);
  for (const InputBuffer& part : from) {
    std::memcpy(target, part.base, part.byte_size);
    target += part.byte_size;
  }
  return OkStatus();
}

}  // namespace

std::vector<InputBuffer> EnsembleTensor::buffers() const {
  if (input_ != nullptr) return input_->buffers;
  InputBuffer part;
  part.base = output_->buffer().base;
  part.byte_size = output_->buffer().byte_size;
  part.place = output_->buffer().place;
  return {part};
}

Status EnsembleTensor::AddTo(InferenceRequest* request, const std::string& name) const {
  std::vector<int64_t> adapted = shape();
  const TensorSpec* const spec = request->signature().FindInput(name.c_str());
  if (spec != nullptr) {
    AdaptBatchDimension(spec->dims, is_batched_, request->signature().is_batched(), &adapted);
  }
  RETURN_IF_ERROR(request->AddInput(name.c_str(), type(), adapted.data(), adapted.size()));
  for (const InputBuffer& part : buffers()) {
    RETURN_IF_ERROR(request->AppendInputData(name.c_str(), part.base, part.byte_size, part.place));
  }
  return OkStatus();
}

Status EnsembleTensor::MoveTo(InferenceResponse* response, const TensorSpec& spec, bool is_taker_batched,
                              bool is_only) {
  std::vector<int64_t> adapted = shape();
  AdaptBatchDimension(spec.dims, is_batched_, is_taker_batched, &adapted);
  ASSIGN_OR_RETURN(InferenceResponse::Output* const output,
                   response->AddSettledOutput(spec.name, type(), adapted));
  if (is_only && output_ != nullptr && response_->allocator() == response->allocator()) {
    output->Adopt(output_);
    return OkStatus();
  }
  const std::vector<InputBuffer> parts = buffers();
  size_t byte_size = 0;
  for (const InputBuffer& part : parts) byte_size += part.byte_size;
  RETURN_IF_ERROR(output->Allocate(byte_size, parts.empty() ? MemoryPlace() : parts.front().place));
  return CopyBytes(parts, output->buffer());
}

}  // namespace workbench
