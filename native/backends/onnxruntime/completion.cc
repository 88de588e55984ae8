// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "completion.h"

#include <algorithm>

#include "tensor_type.h"

namespace ort {
namespace {

using workbench::Json;

std::string Quoted(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      quoted += std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15];
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

bool CanBatch(const std::vector<Tensor>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(),
                     [](const Tensor& tensor) { return !tensor.dims.empty() && tensor.dims.front() == -1; });
}

std::string Described(const Tensor& tensor, bool is_batched) {
  const TRITONSERVER_DataType type = DataTypeOf(tensor.element_type);
  if (type == TRITONSERVER_TYPE_INVALID) {
    throw workbench::InvalidArgument("tensor '" + tensor.name +
                                     "' of the model is of a type that can not be served");
  }
  std::string dims;
  for (size_t i = is_batched ? 1 : 0; i < tensor.dims.size(); ++i) {
    // A configuration has no size 0, and -1 allows it.
    const int64_t dim = tensor.dims[i] == 0 ? -1 : tensor.dims[i];
    dims += (dims.empty() ? "" : ",") + std::to_string(dim);
  }
  // One element a row is a tensor without dimensions to the model, which a configuration has no words for.
  const std::string reshape = dims.empty() && is_batched ? R"(,"reshape":{"shape":[]})" : "";
  return R"({"name":)" + Quoted(tensor.name) + R"(,"data_type":")" + ConfigNameOf(type) + R"(","dims":[)" +
         (dims.empty() ? "1" : dims) + "]" + reshape + "}";
}

std::string Described(const std::vector<Tensor>& tensors, bool is_batched) {
  std::string list;
  for (const Tensor& tensor : tensors) list += (list.empty() ? "" : ",") + Described(tensor, is_batched);
  return "[" + list + "]";
}

}  // namespace

std::string Complete(const workbench::Model& model, const Session& session, int64_t default_max_batch_size) {
  const Json config = model.config();
  const size_t inputs = config["input"].size() + config["batch_input"].size();
  const size_t outputs = config["output"].size();
  if (inputs > 0 && outputs > 0) return "";
  int64_t max_batch_size = model.max_batch_size();
  const bool can_batch = CanBatch(session.inputs()) && CanBatch(session.outputs());
  if (!can_batch && max_batch_size != 0) {
    throw workbench::InvalidArgument("model '" + model.name() + "' has max_batch_size " +
                                     std::to_string(max_batch_size) +
                                     ", but the first dimension of its tensors does not vary: let it be 0");
  }
  if (can_batch && max_batch_size == 0) max_batch_size = std::max<int64_t>(default_max_batch_size, 0);
  std::string members = R"("max_batch_size":)" + std::to_string(max_batch_size);
  const bool is_batched = max_batch_size > 0;
  if (inputs == 0) members += R"(,"input":)" + Described(session.inputs(), is_batched);
  if (outputs == 0) members += R"(,"output":)" + Described(session.outputs(), is_batched);
  const bool has_scheduler = !config["sequence_batching"].is_null() || !config["dynamic_batching"].is_null();
  if (max_batch_size > 1 && !has_scheduler) members += R"(,"dynamic_batching":{})";
  for (const Json::Member& member : config.members()) {
    const bool is_replaced = member.key == "max_batch_size" || (member.key == "input" && inputs == 0) ||
                             (member.key == "output" && outputs == 0);
    if (!is_replaced) members += "," + Quoted(member.key) + ":" + std::string(member.value.text());
  }
  return "{" + members + "}";
}

}  // namespace ort
