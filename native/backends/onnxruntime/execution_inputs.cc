// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "execution.h"
#include "tensor_type.h"

namespace ort {
namespace {

using workbench::Input;
using workbench::Request;
using workbench::Shape;
using workbench::Span;

bool IsAligned(const char* bytes, size_t element_byte_size) {
  return reinterpret_cast<uintptr_t>(bytes) % element_byte_size == 0;
}

}  // namespace

void Execution::AddInput(workbench::Batch& batch, Requests requests, const Tensor& tensor) {
  const char* const name = tensor.name.c_str();
  if (batch_inputs_.count(tensor.name) != 0) {
    const workbench::BatchTensor computed = batch.BatchInput(name);
    const Shape shape = computed.shape();
    inputs_.push_back(Wrap(computed.bytes().data(), computed.bytes().size(), {shape.begin(), shape.end()},
                           ElementTypeOf(computed.data_type())));
  } else if (requests[0].has_input(name)) {
    inputs_.push_back(Gather(requests, tensor));
  } else {
    return;  // an optional one
  }
  input_names_.push_back(name);
}

std::vector<int64_t> Execution::JoinedShape(Requests requests, const Tensor& tensor) const {
  const char* const name = tensor.name.c_str();
  const Shape first = requests[0].input(name).shape();
  if (ragged_.count(name) != 0) {
    int64_t count = 0;
    for (const Request& request : requests) count += request.input(name).element_count();
    return {count};
  }
  std::vector<int64_t> joined(first.begin(), first.end());
  if (tensor.dims.empty() && joined == std::vector<int64_t>{1})
    return {};  // one element: no dimensions there
  if (requests.size() == 1) return joined;
  joined[0] = 0;
  for (const Request& request : requests) {
    const Shape shape = request.input(name).shape();
    if (shape.size() != first.size() || !std::equal(shape.begin() + 1, shape.end(), first.begin() + 1)) {
      throw workbench::InvalidArgument("input '" + std::string(name) + "' is " + workbench::ToString(first) +
                                       " in one request of the batch and " + workbench::ToString(shape) +
                                       " in another");
    }
    joined[0] += shape[0];
  }
  return joined;
}

Execution::Value Execution::Gather(Requests requests, const Tensor& tensor) {
  const char* const name = tensor.name.c_str();
  const Input first = requests[0].input(name);
  const std::vector<int64_t> shape = JoinedShape(requests, tensor);
  if (first.data_type() == TRITONSERVER_TYPE_BYTES) return GatherStrings(requests, name, shape);
  const int element_type = ElementTypeOf(first.data_type());
  if (requests.size() == 1) {
    const Span<const char> bytes = first.bytes();
    if (!bytes.empty() && IsAligned(bytes.data(), TRITONSERVER_DataTypeByteSize(first.data_type()))) {
      return Wrap(bytes.data(), bytes.size(), shape, element_type);
    }
  }
  size_t byte_size = 0;
  for (const Request& request : requests) byte_size += request.input(name).byte_size();
  char* const joined = static_cast<char*>(scratch_.Take(std::max<size_t>(byte_size, 1)));
  char* end = joined;
  for (const Request& request : requests) {
    const Input input = request.input(name);
    input.CopyTo(end);
    end += input.byte_size();
  }
  return Wrap(joined, byte_size, shape, element_type);
}

Execution::Value Execution::GatherStrings(Requests requests, const char* name,
                                          const std::vector<int64_t>& shape) {
  OrtAllocator* allocator = nullptr;
  api_.Check(api_.default_allocator(&allocator));
  OrtValue* value = nullptr;
  api_.Check(api_.create_tensor(allocator, shape.data(), shape.size(), kString, &value));
  Value owned(value, api_.release_value);
  size_t index = 0;
  for (const Request& request : requests) {
    for (const std::string_view text : request.input(name).strings()) {
      char* bytes = nullptr;
      api_.Check(api_.string_buffer(value, index++, text.size(), &bytes));
      std::copy(text.begin(), text.end(), bytes);
    }
  }
  return owned;
}

}  // namespace ort
