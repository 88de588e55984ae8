// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/raw_input.h"

#include <algorithm>

namespace workbench {
namespace {

Status CannotDeduce(const ModelSignature& signature, const std::string& why) {
  return InvalidArgumentError("the raw input of a request for model '" + signature.name + "' " + why);
}

// Elements of one row, the one variable dimension left out.
Result<int64_t> FixedElements(const ModelSignature& signature, const TensorSpec& spec) {
  if (std::count(spec.dims.begin(), spec.dims.end(), -1) > 1) {
    return CannotDeduce(signature,
                        "has no sure shape: " + ShapeText(spec.dims) + " has several variable dimensions");
  }
  int64_t elements = 1;
  for (const int64_t dim : spec.dims) elements *= dim == -1 ? 1 : dim;
  return elements;
}

void PrependLength(RequestInput* input, uint32_t* length) {
  const bool has_length = !input->buffers.empty() && input->buffers.front().base == length;
  if (has_length) return;
  *length = static_cast<uint32_t>(input->byte_size);
  input->buffers.insert(input->buffers.begin(),
                        InputBuffer(length, {MemoryPlace(), sizeof *length, nullptr}));
  input->byte_size += sizeof *length;
}

}  // namespace

Status DeduceRawInput(const ModelSignature& signature, size_t input_count, RequestInput* input,
                      uint32_t* length) {
  if (input_count != 1 || signature.inputs.size() != 1) {
    return CannotDeduce(signature, "must be its only one: the request has " + std::to_string(input_count) +
                                       " inputs, the model " + std::to_string(signature.inputs.size()));
  }
  const TensorSpec& spec = signature.inputs.front();
  ASSIGN_OR_RETURN(const int64_t elements, FixedElements(signature, spec));
  input->type = spec.type;
  input->original_shape.assign(signature.is_batched() ? 1 : 0, 1);
  input->original_shape.insert(input->original_shape.end(), spec.dims.begin(), spec.dims.end());
  const auto variable = std::find(input->original_shape.begin(), input->original_shape.end(), -1);
  const bool is_variable = variable != input->original_shape.end();
  if (spec.type == DataType::kBytes) {
    if (is_variable || elements != 1)
      return CannotDeduce(signature, "is one string, which asks for shape [1]");
    if (!input->for_policies.empty()) return CannotDeduce(signature, "has one string for all host policies");
    PrependLength(input, length);
  } else if (is_variable) {
    const auto row_byte_size = static_cast<size_t>(elements) * ByteSizeOf(spec.type);
    *variable = row_byte_size == 0 ? 0 : static_cast<int64_t>(input->byte_size / row_byte_size);
  }
  return OkStatus();
}

}  // namespace workbench
