// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/request_validation.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "inference/reshape.h"

namespace workbench {
namespace {

// Leads every message: which tensor of which model.
std::string Subject(const ModelSignature& signature, const RequestInput& input) {
  return "input '" + input.spec->name + "' of model '" + signature.name + "' ";
}

Status CheckPresence(const ModelSignature& signature, const RecycledVector<RequestInput>& inputs) {
  for (const TensorSpec& spec : signature.inputs) {
    bool is_present = spec.is_optional;
    for (size_t i = 0; i < inputs.size() && !is_present; ++i) is_present = inputs[i].spec == &spec;
    if (!is_present) {
      return InvalidArgumentError("input '" + spec.name + "' of model '" + signature.name + "' is missing; " +
                                  std::to_string(inputs.size()) + " of " +
                                  std::to_string(signature.inputs.size()) + " inputs came");
    }
  }
  return OkStatus();
}

Status CheckType(const ModelSignature& signature, const RequestInput& input) {
  if (input.type == input.spec->type) return OkStatus();
  return InvalidArgumentError(Subject(signature, input) + "is " + NameOf(input.spec->type) + ", got " +
                              NameOf(input.type));
}

Status ShapeMismatch(const ModelSignature& signature, const RequestInput& input) {
  std::vector<int64_t> expected = input.spec->dims;
  std::string note;
  if (signature.is_batched() && !input.spec->is_shape_tensor) {
    expected.insert(expected.begin(), -1);
    note = "; the first dimension is the batch, since max_batch_size is " +
           std::to_string(signature.max_batch_size);
  }
  return InvalidArgumentError(Subject(signature, input) + "has shape " + ShapeText(expected) + ", got " +
                              ShapeText(input.original_shape) + note);
}

// Settles the shape that the backend sees. REQUIRES: rank checked by the caller's offset.
Status CheckShape(const ModelSignature& signature, size_t offset, RequestInput* input) {
  const std::vector<int64_t>& dims = input->spec->dims;
  const std::vector<int64_t>& shape = input->original_shape;
  if (shape.size() != dims.size() + offset) return ShapeMismatch(signature, *input);
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t actual = shape[i + offset];
    if (actual < 0 || (dims[i] != -1 && dims[i] != actual)) return ShapeMismatch(signature, *input);
  }
  input->shape = shape;
  if (input->spec->has_reshape) ApplyReshape(*input->spec, offset == 1, &input->shape);
  return OkStatus();
}

Status CheckRows(const ModelSignature& signature, const RequestInput& input, bool is_first, uint32_t* rows) {
  const int64_t batch = input.original_shape.empty() ? 0 : input.original_shape[0];
  if (batch < 1 || batch > signature.max_batch_size) {
    return InvalidArgumentError(Subject(signature, input) + "has batch size " + std::to_string(batch) +
                                ", allowed are 1 to max_batch_size " +
                                std::to_string(signature.max_batch_size));
  }
  if (!is_first && batch != *rows) {
    return InvalidArgumentError(Subject(signature, input) + "has batch size " + std::to_string(batch) +
                                ", but other inputs of the request have " + std::to_string(*rows));
  }
  *rows = static_cast<uint32_t>(batch);
  return OkStatus();
}

// False on overflow.
bool ElementCount(const std::vector<int64_t>& shape, int64_t* count) {
  *count = 1;
  for (int64_t dim : shape) {
    if (__builtin_mul_overflow(*count, dim, count)) return false;
  }
  return true;
}

Status CheckFixedByteSize(const ModelSignature& signature, const RequestInput& input) {
  int64_t count = 0;
  int64_t expected = 0;
  if (!ElementCount(input.original_shape, &count) ||
      __builtin_mul_overflow(count, static_cast<int64_t>(ByteSizeOf(input.type)), &expected)) {
    return InvalidArgumentError(Subject(signature, input) + "has too many elements: shape " +
                                ShapeText(input.original_shape));
  }
  if (static_cast<int64_t>(input.byte_size) == expected) return OkStatus();
  return InvalidArgumentError(Subject(signature, input) + "with shape " + ShapeText(input.original_shape) +
                              " and type " + NameOf(input.type) + ": expected " + std::to_string(expected) +
                              " bytes, got " + std::to_string(input.byte_size));
}

// Reads across the borders of the buffers that make up one input.
class BytesReader {
 public:
  explicit BytesReader(const RequestInput& input) : input_(input), left_(input.byte_size) {}
  size_t left() const { return left_; }
  bool Read(void* target, size_t count) { return Step(static_cast<char*>(target), count); }
  bool Skip(size_t count) { return Step(nullptr, count); }

 private:
  bool Step(char* target, size_t count) {
    if (count > left_) return false;
    left_ -= count;
    while (count > 0) {
      const InputBuffer& buffer = input_.buffers[index_];
      const size_t part = std::min(count, buffer.byte_size - offset_);
      if (target != nullptr) {
        std::memcpy(target, static_cast<const char*>(buffer.base) + offset_, part);
        target += part;
      }
      count -= part;
      offset_ += part;
      if (offset_ == buffer.byte_size) {
        ++index_;
        offset_ = 0;
      }
    }
    return true;
  }

  const RequestInput& input_;
  size_t index_ = 0;
  size_t offset_ = 0;
  size_t left_;
};

// BYTES: each element is a little-endian 32-bit length, then so many bytes.
Status CheckBytes(const ModelSignature& signature, const RequestInput& input) {
  for (const InputBuffer& buffer : input.buffers) {
    if (buffer.place.type == MemoryType::kGpu) return OkStatus();  // not to be read from here
  }
  int64_t expected = 0;
  if (!ElementCount(input.original_shape, &expected)) {
    return InvalidArgumentError(Subject(signature, input) + "has too many elements: shape " +
                                ShapeText(input.original_shape));
  }
  BytesReader reader(input);
  int64_t count = 0;
  for (; reader.left() > 0; ++count) {
    uint32_t length = 0;
    if (!reader.Read(&length, sizeof length) || !reader.Skip(length)) {
      return InvalidArgumentError(Subject(signature, input) + "ends within its string " +
                                  std::to_string(count) +
                                  ": BYTES elements are a 4-byte length and so many bytes");
    }
  }
  if (count == expected) return OkStatus();
  return InvalidArgumentError(Subject(signature, input) + "with shape " + ShapeText(input.original_shape) +
                              ": expected " + std::to_string(expected) + " strings, got " +
                              std::to_string(count));
}

Status CheckContent(const ModelSignature& signature, const RequestInput& input) {
  return input.type == DataType::kBytes ? CheckBytes(signature, input) : CheckFixedByteSize(signature, input);
}

// The values of a shape tensor are shapes themselves. Those that cannot be read from here agree with no
// others.
template <typename Mix>
void MixContent(const RequestInput& input, const Mix& mix) {
  for (const InputBuffer& buffer : input.buffers) {
    if (buffer.place.type == MemoryType::kGpu) return mix(reinterpret_cast<uintptr_t>(&input));
    const auto* const bytes = static_cast<const uint8_t*>(buffer.base);
    for (size_t i = 0; i < buffer.byte_size; ++i) mix(bytes[i]);
  }
}

// FNV-1a over what must agree within a batch: which inputs came, and their variable dimensions.
uint64_t ShapeSignature(const ModelSignature& signature, const RecycledVector<RequestInput>& inputs) {
  uint64_t hash = 14695981039346656037ull;
  auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * 1099511628211ull; };
  for (const TensorSpec& spec : signature.inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].spec != &spec) continue;
      mix(static_cast<uint64_t>(&spec - signature.inputs.data()) + 1);
      if (spec.allow_ragged_batch) continue;
      for (size_t k = spec.is_shape_tensor ? 0 : 1; k < inputs[i].shape.size(); ++k) mix(inputs[i].shape[k]);
      if (spec.is_shape_tensor) MixContent(inputs[i], mix);
    }
  }
  return hash;
}

}  // namespace

Status ValidateInputs(const ModelSignature& signature, RecycledVector<RequestInput>* inputs,
                      QueueEntry* entry) {
  if (inputs->size() != signature.inputs.size() || signature.inputs.size() > 1) {
    RETURN_IF_ERROR(CheckPresence(signature, *inputs));
  }
  entry->rows = 1;
  bool is_first = true;
  for (size_t i = 0; i < inputs->size(); ++i) {
    RequestInput& input = (*inputs)[i];
    RETURN_IF_ERROR(CheckType(signature, input));
    const bool has_batch_dim = signature.is_batched() && !input.spec->is_shape_tensor;
    RETURN_IF_ERROR(CheckShape(signature, has_batch_dim ? 1 : 0, &input));
    if (has_batch_dim) {
      RETURN_IF_ERROR(CheckRows(signature, input, is_first, &entry->rows));
      is_first = false;
    }
    RETURN_IF_ERROR(CheckContent(signature, input));
  }
  entry->shape_signature = signature.has_variable_shapes() ? ShapeSignature(signature, *inputs) : 0;
  return OkStatus();
}

}  // namespace workbench
