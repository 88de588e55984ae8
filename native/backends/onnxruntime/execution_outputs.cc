// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "execution.h"
#include "tensor_type.h"

namespace ort {
namespace {

using workbench::Request;

void WriteState(Request& request, const char* name, const std::vector<std::string_view>& texts,
                const std::vector<int64_t>& shape) {
  size_t byte_size = 0;
  for (const std::string_view text : texts) byte_size += sizeof(uint32_t) + text.size();
  workbench::State state = request.state(name);
  char* at = static_cast<char*>(state.Allocate(TRITONSERVER_TYPE_BYTES, shape, byte_size));
  for (const std::string_view text : texts) {
    const auto length = static_cast<uint32_t>(text.size());
    std::memcpy(at, &length, sizeof(length));
    at = std::copy(text.begin(), text.end(), at + sizeof(length));
  }
  state.Update();
}

int64_t ByRule(const workbench::detail::BatchOutputRule& rule, const Request& request) {
  return workbench::ElementCount(rule.ShapeFor(request.input(rule.source().c_str()).shape()));
}

}  // namespace

// By batch_output's rule; else with the request's rows in the place of the batch's, and one element where
// there are no dimensions.
std::vector<int64_t> Execution::PartShape(const Request& request, const std::string& output,
                                          const std::vector<int64_t>& shape) const {
  const auto rule = batch_outputs_.find(output);
  if (rule != batch_outputs_.end()) {
    return rule->second.ShapeFor(request.input(rule->second.source().c_str()).shape());
  }
  std::vector<int64_t> part = shape;
  if (model_.max_batch_size() > 0) part[0] = request.rows();
  if (part.empty()) part.push_back(1);
  return part;
}

// What the model gave is what the requests are dealt.
void Execution::RequireBatch(Requests requests, const std::string& output,
                             const std::vector<int64_t>& shape) const {
  const auto rule = batch_outputs_.find(output);
  if (rule != batch_outputs_.end()) {
    int64_t count = 0;
    for (const Request& request : requests) count += ByRule(rule->second, request);
    if (count == workbench::ElementCount(shape)) return;
    throw workbench::Internal("output '" + output + "' is " + workbench::ToString(shape) + ", and " +
                              std::to_string(count) + " elements are dealt by the shapes of '" +
                              rule->second.source() + "'");
  }
  if (model_.max_batch_size() == 0 || (!shape.empty() && shape[0] == RowsOf(requests))) return;
  throw workbench::Internal("output '" + output + "' is " + workbench::ToString(shape) +
                            ", whose first dimension is not the batch of " +
                            std::to_string(RowsOf(requests)) + " rows");
}

// Outputs that are states, too, are copied: they have two places to go to.
Execution::Value Execution::Target(Requests requests, const Wanted& wanted) {
  const Tensor& tensor = *wanted.tensor;
  Value none(nullptr, api_.release_value);
  if (requests.size() != 1 || wanted.is_state || tensor.element_type == kString) return none;
  if (batch_outputs_.count(tensor.name) != 0) return none;
  std::vector<int64_t> shape = tensor.dims;
  if (model_.max_batch_size() > 0 && !shape.empty() && shape[0] == -1) shape[0] = requests[0].rows();
  if (shape.empty() || std::any_of(shape.begin(), shape.end(), [](int64_t dim) { return dim < 1; }))
    return none;
  const TRITONSERVER_DataType type = DataTypeOf(tensor.element_type);
  const size_t byte_size =
      static_cast<size_t>(workbench::ElementCount(shape)) * TRITONSERVER_DataTypeByteSize(type);
  void* const data = requests[0].output(tensor.name.c_str()).Allocate(type, shape, byte_size);
  return Wrap(data, byte_size, shape, tensor.element_type);
}

void Execution::Deal(Requests requests, const Wanted& wanted, OrtValue* value) {
  const std::string& name = wanted.tensor->name;
  int is_tensor = 0;
  api_.Check(api_.is_tensor(value, &is_tensor));
  if (is_tensor == 0) throw workbench::Unsupported("output '" + name + "' of the model is no tensor");
  OrtTensorInfo* created = nullptr;
  api_.Check(api_.value_info(value, &created));
  const Owned<OrtTensorInfo> info(created, api_.release_info);
  int element_type = 0;
  size_t rank = 0;
  api_.Check(api_.element_type(created, &element_type));
  api_.Check(api_.dim_count(created, &rank));
  std::vector<int64_t> shape(rank);
  api_.Check(api_.dims(created, shape.data(), rank));
  RequireBatch(requests, name, shape);
  if (element_type == kString) return DealStrings(requests, wanted, value, shape);
  DealBytes(requests, wanted, value, DataTypeOf(element_type), shape);
}

void Execution::DealBytes(Requests requests, const Wanted& wanted, OrtValue* value,
                          TRITONSERVER_DataType type, const std::vector<int64_t>& shape) {
  void* data = nullptr;
  api_.Check(api_.tensor_data(value, &data));
  const char* part = static_cast<const char*>(data);
  const char* const name = wanted.tensor->name.c_str();
  for (Request& request : requests) {
    const std::vector<int64_t> own = PartShape(request, wanted.tensor->name, shape);
    const size_t byte_size =
        static_cast<size_t>(workbench::ElementCount(own)) * TRITONSERVER_DataTypeByteSize(type);
    const auto copy = [&](void* target) {
      if (byte_size != 0) std::memcpy(target, part, byte_size);
    };
    if (wanted.is_output && request.wants(name)) copy(request.output(name).Allocate(type, own, byte_size));
    if (wanted.is_state) {
      workbench::State state = request.state(name);
      copy(state.Allocate(type, own, byte_size));
      state.Update();
    }
    part += byte_size;
  }
}

void Execution::DealStrings(Requests requests, const Wanted& wanted, OrtValue* value,
                            const std::vector<int64_t>& shape) {
  const auto count = static_cast<size_t>(workbench::ElementCount(shape));
  size_t byte_size = 0;
  api_.Check(api_.strings_byte_size(value, &byte_size));
  std::string bytes(byte_size, '\0');
  std::vector<size_t> offsets(count);
  api_.Check(api_.strings(value, bytes.data(), byte_size, offsets.data(), count));
  std::vector<std::string_view> texts;
  for (size_t i = 0; i < count; ++i) {
    const size_t end = i + 1 < count ? offsets[i + 1] : byte_size;
    texts.emplace_back(bytes.data() + offsets[i], end - offsets[i]);
  }
  const char* const name = wanted.tensor->name.c_str();
  auto part = texts.begin();
  for (Request& request : requests) {
    const std::vector<int64_t> own = PartShape(request, wanted.tensor->name, shape);
    const auto end = part + static_cast<ptrdiff_t>(workbench::ElementCount(own));
    const std::vector<std::string_view> parts(part, end);
    if (wanted.is_output && request.wants(name)) request.output(name).Write(parts, own);
    if (wanted.is_state) WriteState(request, name, parts, own);
    part = end;
  }
}

}  // namespace ort
